"""The process of the tiny model: `python local_server.py WEIGHTS TEMPLATE` serves it until its input is closed.

It says its URL on a line, once it is up.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any


def main(weights: str, template: str) -> None:
    """Serve the model."""
    xllamacpp: Any = importlib.import_module("xllamacpp")  # of an extra
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.n_ctx = 8192
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.chat_template = Path(template).read_text("utf-8")
    params.sampling.temp = 0.0
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
