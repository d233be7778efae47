"""MCP servers in a Jupyter notebook, with forms for what they ask."""

__version__ = "0.1.0"
