"""JupyterLab, or Notebook 7, in a real browser, as a person has it before them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

import nbformat
from playwright.sync_api import ConsoleMessage, Locator, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests import kernels
from tests.browser import chromium
from tests.browser.delay_proxy import DelayProxy
from tests.real import servers

T = TypeVar("T")

SERVER_PYTHON = os.environ.get("JUPYTER_SERVER_PYTHON", sys.executable)
"""The Python whose JupyterLab and Notebook are used: by default this one's. Kernels are of this one in any case."""

OUT = Path(__file__).parents[1] / "out"
"""Where screenshots go."""

CHROMIUM_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),  # Chromium refuses its sandbox to root
)
APPS = {"lab": ("LabApp", "lab/workspaces/{page}/tree/{name}"), "notebook": ("JupyterNotebookApp", "notebooks/{name}")}
"""For each frontend its application class, and where it shows a notebook."""

SESSION = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session"


class Lab:
    """A Jupyter server of its own on loopback, with a headless Chromium.

    Args:
        app: "lab" for JupyterLab, "notebook" for Notebook 7.
    """

    def __init__(self, app: Literal["lab", "notebook"] = "lab") -> None:
        self.app = app
        self.notebooks: list[Notebook] = []
        """The notebooks that are open now."""
        self.log: Path
        """What the server and its kernels write to their console."""
        self._token = secrets.token_hex(16)
        self._pages = 0
        self._spare: Page | None = None
        """A JupyterLab with nothing open, for the next notebook: to load one takes longer than most tests."""

    def __enter__(self) -> Lab:
        with ExitStack() as stack:
            self.folder = Path(tempfile.mkdtemp(prefix="mcp-notebook-lab-"))
            stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self._start_server(stack)
            self._proxy = stack.enter_context(DelayProxy(self.port))
            playwright = stack.enter_context(sync_playwright())
            path = chromium.find(playwright)
            assert path, "no Chromium: `python -m tests.browser.chromium` installs one"
            browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
            stack.callback(browser.close)
            self._context = browser.new_context(viewport={"width": 1200, "height": 900})
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._stack.close()

    def open(
        self,
        cells: list[str] | Path,
        *,
        kernel: str,
        latency: float = 0,
        app: Literal["lab", "notebook"] | None = None,
        fresh: bool = False,
    ) -> Notebook:
        """Open a new notebook, and wait until its kernel is connected and idle.

        Args:
            cells: The source of each code cell; or a notebook, of which a copy is opened, without its outputs and
                beside copies of the files that it comes with.
            kernel: The ipykernel release to run it on.
            latency: How late everything arrives between browser and server once the notebook is open, in seconds,
                each way. It holds for all notebooks that have one.
            app: Another frontend than the server's own; the server has both.
            fresh: In a page of its own: needed by what reloads the page or changes it for good.
        """
        self._pages += 1
        name = f"notebook-{self._pages}.ipynb"
        new = _copied(cells, self.folder) if isinstance(cells, Path) else _new_notebook(cells)
        spec = kernels.install(kernel)
        new["metadata"]["kernelspec"] = {"name": spec, "display_name": spec, "language": "python"}
        (self.folder / name).write_text(json.dumps(new), encoding="utf-8")
        is_usual = not latency and not fresh and app in (None, "lab") and self.app == "lab"
        page, self._spare = (self._spare, None) if is_usual else (None, self._spare)
        notebook = Notebook(page or self._context.new_page(), self.folder / name, is_usual=is_usual)
        self.notebooks.append(notebook)
        if page is not None:
            notebook.command("docmanager:open", path=name, factory="Notebook")
        else:
            path = APPS[app or self.app][1].format(page=f"page-{self._pages}", name=name)
            port = self._proxy.port if latency else self.port
            notebook.page.goto(f"http://127.0.0.1:{port}/{path}?token={self._token}")
        notebook.wait_until_connected(idle=True)
        self._proxy.delay = latency  # from here on: a whole JupyterLab takes ten seconds to load through it
        return notebook

    def open_again(self, notebook: Notebook) -> Notebook:
        """Open a notebook that was opened in a fresh page in another one, as it was saved last."""
        again = Notebook(self._context.new_page(), notebook.path, is_usual=False)
        self.notebooks.append(again)
        again.page.goto(notebook.page.url)
        again.wait_until_connected(idle=False)
        return again

    def close_notebooks(self) -> None:
        """Close every notebook, and end its kernel."""
        for notebook in self.notebooks:
            if self._spare is None and notebook.is_usual and notebook.empty():
                self._spare = notebook.page
            else:
                notebook.page.close()
        self.notebooks.clear()
        self._proxy.delay = 0
        for session in self._api("sessions"):
            self._api(f"sessions/{session['id']}", method="DELETE")

    def _start_server(self, stack: ExitStack) -> None:
        private = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mcp-notebook-jupyter-")))
        page_config = private / "labconfig" / "page_config.json"
        page_config.parent.mkdir()
        # The popup that offers news would cover the page and ask the network.
        page_config.write_text('{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}')
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = private / "server.log"
        log = stack.enter_context(self.log.open("w+", encoding="utf-8"))
        server = subprocess.Popen(
            [
                *(SERVER_PYTHON, "-m", "jupyter", self.app, "--no-browser", "--allow-root", "--ip=127.0.0.1"),
                *(f"--port={self.port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={self.folder}"),
                *(f"--{app}.expose_app_in_browser=True" for app, _ in APPS.values()),
            ],
            env=os.environ
            | {
                "JUPYTER_TOKEN": self._token,
                "JUPYTER_PATH": str(kernels.HOME / "share"),
                "JUPYTER_CONFIG_DIR": str(private),
                "JUPYTER_DATA_DIR": str(private / "data"),
                "JUPYTER_RUNTIME_DIR": str(private / "runtime"),
                "JUPYTERLAB_SETTINGS_DIR": str(private / "settings"),
                "JUPYTERLAB_WORKSPACES_DIR": str(private / "workspaces"),
                "PATH": f"{servers.HOME / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            },
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        stack.callback(_end, server)
        deadline = time.monotonic() + 60
        while not self._answers():
            if server.poll() is not None or time.monotonic() > deadline:
                log.seek(0)
                raise AssertionError(f"Jupyter did not start:\n{log.read()}")

    def _answers(self) -> bool:
        try:
            return bool(self._api("status"))
        except OSError:
            time.sleep(0.1)
            return False

    def _api(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/{path}", method=method, headers={"Authorization": f"token {self._token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.loads(response.read() or b"null")


class Notebook:
    """A notebook that is open in the browser.

    Args:
        page: Its browser page, for everything that a person does with mouse and keyboard.
        path: Its file.
        is_usual: Whether its page is a plain JupyterLab, fit for another notebook after this one.
    """

    def __init__(self, page: Page, path: Path, *, is_usual: bool) -> None:
        self.page = page
        self.path = path
        self.is_usual = is_usual
        self.console: list[str] = []
        """What the page has written to the browser's console."""
        page.set_default_timeout(15_000)
        page.on("console", self._heard)
        page.on("pageerror", self._failed)

    def _heard(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")

    def _failed(self, error: PlaywrightError) -> None:
        self.console.append(f"pageerror: {error}")

    # --- reading ---

    def cell(self, index: int) -> Locator:
        """A code cell, counted from 0."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def outputs(self, index: int) -> Locator:
        """The outputs of a cell."""
        return self.cell(index).locator(".jp-OutputArea-output")

    def text(self, index: int) -> str:
        """All that a cell shows under its code, as text."""
        return "\n".join(self.outputs(index).all_inner_texts())

    def saved(self) -> nbformat.NotebookNode:
        """Save the notebook, and return what is in the file."""
        self.command("docmanager:save")
        return nbformat.read(self.path, as_version=4)

    def screenshot(self, name: str, of: Locator | None = None) -> Path:
        """Take a picture of the page, or of a part of it, into tests/out/."""
        path = OUT / f"{name}.png"
        (of or self.page).screenshot(path=path)
        return path

    # --- doing ---

    def command(self, name: str, **arguments: Any) -> None:
        """Run one of the frontend's commands to its end."""
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments])

    def start(self, index: int) -> None:
        """Run a cell, and go on at once."""
        self.page.evaluate(
            """index => {
                window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
                window.running ??= {};
                window.running[index] = true;
                window.jupyterapp.commands.execute("notebook:run-cell").finally(() => delete window.running[index]);
            }""",
            index,
        )

    def start_all(self) -> None:
        """Press Run All, and go on at once."""
        self.page.evaluate(
            """() => {
                window.running ??= {};
                window.running.all = true;
                window.jupyterapp.commands.execute("notebook:run-all-cells").finally(() => delete window.running.all);
            }"""
        )

    def finish(self, *, timeout: float = 15) -> None:
        """Wait until all that was started has ended, with its output on the page."""
        self.page.wait_for_function("() => !Object.keys(window.running ?? {}).length", timeout=timeout * 1000)

    def run(self, index: int, *, timeout: float = 15) -> str:
        """Run a cell to its end, and return what it shows."""
        self.start(index)
        self.finish(timeout=timeout)
        return self.text(index)

    def run_all(self, *, timeout: float = 30) -> None:
        """Press Run All, and wait for the end."""
        self.start_all()
        self.finish(timeout=timeout)

    def stop(self) -> None:
        """Press Stop."""
        self.command("notebook:interrupt-kernel")

    def restart(self) -> None:
        """Restart the kernel, with no dialog."""
        self.page.evaluate(f"() => {SESSION}.kernel.restart()")
        self.wait_until_connected(idle=True)

    def reload(self) -> None:
        """Reload the page. What runs in the kernel runs on."""
        self.page.reload()
        self.wait_until_connected(idle=False)

    def use_theme(self, theme: Literal["JupyterLab Light", "JupyterLab Dark"]) -> None:
        """Change the frontend's theme."""
        self.command("apputils:change-theme", theme=theme)
        self.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def until(self, condition: Callable[[], T | None], *, timeout: float = 10) -> T:
        """Wait for a condition that is not the page's alone; for those, Playwright's own `expect` says more.

        Returns:
            The condition's value, which is true.
        """
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            assert time.monotonic() < deadline, f"not within {timeout} s"
            self.page.wait_for_timeout(30)  # lets Playwright take in what the browser sends
        return value

    def empty(self) -> bool:
        """Close whatever the page has open; whether that went well."""
        try:
            self.page.evaluate(
                """() => {
                    for (const widget of [...window.jupyterapp.shell.widgets("main")]) widget.dispose();
                    window.running = {};
                }"""
            )
        except PlaywrightError:
            return False
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        return not self.page.locator(".jp-Dialog").count()

    def wait_until_connected(self, *, idle: bool) -> None:
        """Wait until the page talks to its kernel; cells that are run before that are lost."""
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        self.page.wait_for_function(
            f"""idle => {{
                const kernel = {SESSION}?.kernel;
                return kernel?.connectionStatus === "connected" && (!idle || kernel.status === "idle");
            }}""",
            arg=idle,
            timeout=60_000,
        )


def _copied(path: Path, folder: Path) -> dict[str, Any]:
    for beside in path.parent.glob("*.json"):
        if not beside.name.endswith(".answers.json"):
            shutil.copy(beside, folder)
    shutil.copytree(path.parent / "pictures", folder / "pictures", dirs_exist_ok=True)
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return notebook


def _new_notebook(cells: list[str]) -> dict[str, Any]:
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{number}",
                "source": source,
                "metadata": {},
                "outputs": [],
                "execution_count": None,
            }
            for number, source in enumerate(cells)
        ],
    }


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server and its kernels."""
    os.killpg(server.pid, signal.SIGTERM)
    try:
        server.wait(15)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(5)
