"""Signing in to HTTP servers by OAuth: the SDK's flows, with our storage and the person's part."""
