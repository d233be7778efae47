"""Controls of your own in the forms: see docs/controls.md."""

from mcp_notebook.notebook.register import register, unregister

__all__ = ["register", "unregister"]
