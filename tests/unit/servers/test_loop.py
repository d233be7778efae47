from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading

from mcp_notebook.servers.loop import BackgroundLoop

BOUND = 10.0
word = contextvars.ContextVar("word", default="none")


async def thread_name() -> str:
    return threading.current_thread().name


def test_work_of_any_thread_runs_on_the_one_daemon_thread():
    background = BackgroundLoop()
    names = {background.submit(thread_name()).result(BOUND) for _ in range(3)}

    assert names == {"mcp-notebook servers"}
    assert all(thread.daemon for thread in threading.enumerate() if thread.name in names)


def test_work_runs_in_the_context_of_who_submits_it():
    async def read() -> str:
        return word.get()

    word.set("mine")
    assert BackgroundLoop().submit(read()).result(BOUND) == "mine"


def test_it_knows_its_own_thread():
    background = BackgroundLoop()

    async def ask() -> bool:
        return background.is_here()

    assert not background.is_here()
    assert background.submit(ask()).result(BOUND)


def test_cancelling_the_future_cancels_the_work():
    cancelled = threading.Event()
    started = threading.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    future = BackgroundLoop().submit(work())
    assert started.wait(BOUND)
    future.cancel()
    assert cancelled.wait(BOUND)


def test_a_child_of_a_fork_gets_a_loop_of_its_own():
    code = """
import os, warnings
warnings.simplefilter("ignore")
from mcp_notebook.servers.loop import BackgroundLoop
async def pid(): return os.getpid()
background = BackgroundLoop()
assert background.submit(pid()).result(10) == os.getpid()
child = os.fork()
if child == 0:
    os._exit(0 if background.submit(pid()).result(10) == os.getpid() else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=BOUND)


def test_warming_up_imports_what_the_sdk_needs_on_the_thread_but_not_the_sdk():
    code = """
import sys
import mcp_notebook.servers.registry, mcp_notebook.servers.specs
from mcp_notebook.servers import loop
assert "pydantic" not in sys.modules
loop.warm()
async def imported(): return {"pydantic", "mcp_types", "starlette", "mcp"} & set(sys.modules)
assert loop.submit(imported()).result(20) == {"pydantic", "mcp_types", "starlette"}
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)
