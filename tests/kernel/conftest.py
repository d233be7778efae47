"""A fresh kernel of each ipykernel release, and a page that is open on it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

from tests import kernels
from tests.kernel.client import Frontend

FAILED = pytest.StashKey[bool]()


RESET = """
import asyncio, builtins, os, sys
extensions = get_ipython().extension_manager
if "mcp_notebook" in extensions.loaded:
    extensions.unload_extension("mcp_notebook")
elif "mcp_notebook.api" in sys.modules:
    sys.modules["mcp_notebook.api"].close_all()
for name in [name for name in sys.modules if name.split(".")[0] == "mcp_notebook"]:
    del sys.modules[name]
if hasattr(asyncio, "_nest_patched"):
    raise RuntimeError("asyncio is patched for good")
kept = builtins.__dict__.setdefault("_environment_of_tests", dict(os.environ))
os.environ.clear()
os.environ.update(kept)
os.chdir({folder!r})
get_ipython().reset(new_session=True)
"""
"""Makes a kernel as good as new, but for what it has imported of others: to start one takes most of a test's time."""


class Kernels:
    """The kernels of this run, one of each release, each for one test at a time."""

    def __init__(self) -> None:
        self._idle: dict[str, tuple[KernelManager, Path]] = {}

    def take(self, release: str, folder: Path) -> tuple[KernelManager, Path] | None:
        """Give the kernel that was put back, as good as new; None if there is none, or it can't be made so."""
        manager, console = self._idle.pop(release, (None, folder))
        if manager is None:
            return None
        if _runs(manager, RESET.format(folder=str(folder))):
            return manager, console
        end(manager)
        return None

    def put_back(self, release: str, manager: KernelManager, console: Path) -> None:
        """Keep a kernel for the next test."""
        self._idle[release] = (manager, console)

    def close(self) -> None:
        """End them all."""
        for manager, _ in self._idle.values():
            end(manager)


@pytest.fixture(scope="session")
def kernels_of_run() -> Iterator[Kernels]:
    kept = Kernels()
    yield kept
    kept.close()


@pytest.fixture
def kernel(
    request: pytest.FixtureRequest, ipykernel: str, tmp_path: Path, kernels_of_run: Kernels
) -> Iterator[KernelManager]:
    """A kernel that is as good as new; what it wrote to its console is shown when a test fails."""
    is_fresh = request.node.get_closest_marker("fresh_kernel") is not None
    found = None if is_fresh else kernels_of_run.take(ipykernel, tmp_path)
    manager, console = found or (_start(ipykernel, tmp_path), tmp_path / "console.txt")
    before = console.stat().st_size
    try:
        yield manager
    finally:
        failed = request.node.stash.get(FAILED, True)
        if failed or is_fresh or not manager.is_alive():
            end(manager)
        else:
            kernels_of_run.put_back(ipykernel, manager, console)
        print(console.read_text(encoding="utf-8")[before:])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when in ("setup", "call"):
        item.stash[FAILED] = not report.passed
    return report


def _start(release: str, folder: Path) -> KernelManager:
    specs = KernelSpecManager(kernel_dirs=[str(kernels.HOME / "share" / "kernels")])
    manager = KernelManager(kernel_name=kernels.install(release), kernel_spec_manager=specs)
    with (folder / "console.txt").open("w", encoding="utf-8") as file:
        for left in (2, 1, 0):
            manager.start_kernel(cwd=str(folder), stdout=file, stderr=file)
            if _answers(manager) or not left:
                break
            # Free ports are looked for before they are bound, so kernels that start together can clash.
            manager.shutdown_kernel(now=True)
            manager.cleanup_connection_file()
            manager.shell_port = manager.iopub_port = manager.stdin_port = manager.hb_port = manager.control_port = 0
    return manager


def end(manager: KernelManager) -> None:
    """End a kernel."""
    manager.shutdown_kernel(now=True)
    manager.context.destroy(linger=0)


def _runs(manager: KernelManager, code: str) -> bool:
    """Run code in a kernel, and say whether that went well."""
    client = manager.blocking_client()
    client.start_channels(hb=False)
    try:
        client.wait_for_ready(timeout=20)
        reply = client.execute_interactive(code, store_history=False, timeout=20, output_hook=lambda _: None)
    except (RuntimeError, TimeoutError):
        return False
    finally:
        client.stop_channels()
    return reply["content"]["status"] == "ok"


def _answers(manager: KernelManager) -> bool:
    client = manager.blocking_client()
    client.start_channels(hb=False)
    try:
        client.wait_for_ready(timeout=60)
    except RuntimeError:
        return False
    finally:
        client.stop_channels()
    return True


@pytest.fixture
def frontend(kernel: KernelManager) -> Iterator[Frontend]:
    """A page on the kernel, which sends comm messages on the plain shell channel."""
    page = Frontend(kernel)
    yield page
    page.close()
