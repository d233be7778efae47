"""Configuration files of MCP servers, as people have them from this and other clients."""
