"""The protocol: one background event loop, connections, the registry."""
