"""A fresh kernel of each ipykernel release, and a page that is open on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

from tests import kernels
from tests.kernel.client import Frontend


@pytest.fixture
def kernel(ipykernel: str, tmp_path: Path) -> Iterator[KernelManager]:
    """A kernel that has just started; what it wrote to its console is shown when a test fails."""
    specs = KernelSpecManager(kernel_dirs=[str(kernels.HOME / "share" / "kernels")])
    manager = KernelManager(kernel_name=kernels.install(ipykernel), kernel_spec_manager=specs)
    console = tmp_path / "console.txt"
    with console.open("w", encoding="utf-8") as file:
        for left in (2, 1, 0):
            manager.start_kernel(cwd=str(tmp_path), stdout=file, stderr=file)
            if _answers(manager) or not left:
                break
            # Free ports are looked for before they are bound, so kernels that start together can clash.
            manager.shutdown_kernel(now=True)
            manager.cleanup_connection_file()
            manager.shell_port = manager.iopub_port = manager.stdin_port = manager.hb_port = manager.control_port = 0
        try:
            yield manager
        finally:
            manager.shutdown_kernel(now=True)
            manager.context.destroy(linger=0)
            print(console.read_text(encoding="utf-8"))


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
