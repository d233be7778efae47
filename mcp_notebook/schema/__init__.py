"""JSON Schema to fields, and answers checked against it. Pure."""
