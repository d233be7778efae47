"""anywidget classes; static/ holds their built bundles."""
