"""Find a Chromium for the browser tests; `python -m tests.browser.chromium` installs one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
JAPANESE_FONT = "fonts-noto-cjk"  # one demo server asks in Japanese


def find() -> str | None:
    """Find a Chromium.

    Returns:
        The path of the system's own, else of Playwright's download, else None.
    """
    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    """Install what is missing: by apt as root on Debian, else by Playwright."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        wanted = ([] if find() else ["chromium"]) + ([] if _japanese_can_be_shown() else [JAPANESE_FONT])
        if wanted:
            print(f"installing {' and '.join(wanted)}", flush=True)
            quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(["apt-get", "update", "-qq"], check=True)
            subprocess.run(
                ["apt-get", "install", "-y", "-qq", *wanted], check=True, env=quiet, stdout=subprocess.DEVNULL
            )
    elif not find():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def _japanese_can_be_shown() -> bool:
    if not (fc_list := shutil.which("fc-list")):
        return False
    return bool(subprocess.run([fc_list, ":lang=ja"], capture_output=True, check=True).stdout)


if __name__ == "__main__":
    install()
