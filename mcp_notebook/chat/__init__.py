"""A model over the servers' tools: what it is offered, what it calls, what it is told, and how it streams."""
