"""Kernels of several ipykernel releases, all on this environment's interpreter and packages.

Each release but the environment's own is an overlay: a folder with that ipykernel and the two packages it needs
beyond the environment's, put first on the kernel's PYTHONPATH. That takes seconds, where an environment of its own
would take a minute.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

NEWEST = version("ipykernel")
OLDEST = "6.31.0"
MORE = ("7.3.0", "7.2.0", "7.1.0")
"""Releases in between, some of which hand comm messages to a busy kernel in ways of their own: with --all-kernels."""
BEFORE = ("6.29.5",)
"""Releases older still: with --all-kernels."""

HOME = Path(sys.prefix) / "kernels"
NEEDED_BY_OLDER = ("nest_asyncio>=1.4", "psutil>=5.7")


def versions(*, all_of_them: bool = False) -> list[str]:
    """List the ipykernel releases to test on, newest first, each once."""
    if not all_of_them:
        return list(dict.fromkeys((NEWEST, OLDEST)))
    return list(dict.fromkeys((NEWEST, *MORE, OLDEST, *BEFORE)))


def install(release: str) -> str:
    """Make the kernelspec for one ipykernel release, with its overlay where it needs one.

    Args:
        release: A version of ipykernel, such as "6.31.0".

    Returns:
        The kernelspec's name, to be found under `HOME / "share"`.
    """
    name = f"ipykernel-{release}"
    spec = HOME / "share" / "kernels" / name / "kernel.json"
    if spec.exists():
        return name
    overlay = HOME / name
    if release != NEWEST:
        packages = [f"ipykernel=={release}", *NEEDED_BY_OLDER]
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps", "--upgrade"]
        subprocess.run([*pip, "--target", str(overlay), *packages], check=True)
    spec.parent.mkdir(parents=True, exist_ok=True)
    spec.with_suffix(".new").write_text(
        json.dumps(
            {
                "argv": [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                "display_name": name,
                "language": "python",
                "env": {"PYTHONPATH": str(overlay), "IPYTHONDIR": str(HOME / "ipython")},
            }
        ),
        encoding="utf-8",
    )
    os.replace(spec.with_suffix(".new"), spec)  # the spec stands for a whole overlay: it appears last, at once
    return name


if __name__ == "__main__":
    print(*(install(release) for release in versions()))
