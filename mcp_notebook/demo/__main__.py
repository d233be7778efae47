"""`python -m mcp_notebook.demo`: the demo server over stdio, or over HTTP with `--http PORT`."""

from __future__ import annotations

import argparse

from mcp_notebook.demo.everyday import server


def main() -> None:
    """Serve until the client closes stdin, or for ever."""
    parser = argparse.ArgumentParser(prog="python -m mcp_notebook.demo", description=__doc__)
    parser.add_argument("--http", type=int, metavar="PORT", help="serve http://127.0.0.1:PORT/mcp instead of stdio")
    port = parser.parse_args().http
    if port is None:
        server.run()
    else:
        server.run("streamable-http", host="127.0.0.1", port=port)


if __name__ == "__main__":
    main()
