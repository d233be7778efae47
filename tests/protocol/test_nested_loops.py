"""A user's nest_asyncio patches asyncio under our feet, before or after we connect."""

from __future__ import annotations

import subprocess
import sys

from tests.protocol.places import BOUND

CODE = """
import asyncio, sys
import nest_asyncio2
from mcp_notebook.demo.everyday import server
from mcp_notebook.servers.registry import Registry
from mcp_notebook.servers.specs import spec_for
from tests.protocol.places import Scripted, accept

registry = Registry(lambda: Scripted(lambda _: accept(name="Ada")))
command = [sys.executable, "-m", "mcp_notebook.demo"]

def connect(when):
    return [
        registry.connect(spec_for(f"{when}-stdio", command)),
        registry.connect(spec_for(f"{when}-modern", server)),
        registry.connect(spec_for(f"{when}-legacy", server, protocol="legacy")),
    ]

async def main():
    servers = connect("before")
    nest_asyncio2.apply()
    servers += connect("after")
    for each in servers:
        assert each.call("greet").text == "Hello, Ada!"
        assert (await each.acall("greet")).text == "Hello, Ada!"
    registry.close_all()

asyncio.run(main())
print("done")
"""


def test_connections_live_on_when_the_users_loop_is_patched():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=2 * BOUND, check=False)
    assert (run.stdout, run.stderr) == ("done\n", "")
