"""Servers to try the kit on, each runnable with python -m."""
