"""Find a Chromium for the browser tests; `python -m tests.browser.chromium` installs one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
JAPANESE_FONT = "fonts-noto-cjk"  # one demo server asks in Japanese


def find(playwright: Playwright) -> str | None:
    """Find a Chromium.

    Returns:
        The path of the system's own, else of Playwright's download, else None.
    """
    for name in NAMES:
        if path := shutil.which(name):
            return path
    path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    """Install what is missing: by apt as root on Debian, else by Playwright."""
    with sync_playwright() as playwright:
        found = find(playwright)
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _apt_install(([] if found else ["chromium"]) + ([] if _japanese_can_be_shown() else [JAPANESE_FONT]))
    elif not found:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def _apt_install(packages: list[str]) -> None:
    if packages:
        print(f"installing {' and '.join(packages)}", flush=True)
        apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([*apt, "update"], check=True)
        subprocess.run([*apt, "install", "-y", *packages], check=True, env=quiet, stdout=subprocess.DEVNULL)


def _japanese_can_be_shown() -> bool:
    if not (fc_list := shutil.which("fc-list")):
        return False
    return bool(subprocess.run([fc_list, ":lang=ja"], capture_output=True, check=True).stdout)


if __name__ == "__main__":
    install()
