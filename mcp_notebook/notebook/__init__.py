"""Jupyter: the %mcp magic, how a cell waits, forms, the display of results."""
