"""Pins: what a server's tools were when a person agreed to them, and what has become of them since."""
