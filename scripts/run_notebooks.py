"""Run the notebooks named on the command line in place, with the answers from the files beside them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def run(path: Path) -> None:
    """Run a notebook and save it with its outputs, and with nothing that differs from run to run."""
    answers = path.with_suffix(".answers.json").resolve()
    os.environ.pop("MCP_NOTEBOOK_ANSWERS", None)
    if answers.exists():
        os.environ["MCP_NOTEBOOK_ANSWERS"] = str(answers)
    notebook = nbformat.read(path, as_version=4)
    here = {"metadata": {"path": path.parent}}
    NotebookClient(
        notebook, timeout=60, record_timing=False, store_widget_state=False, coalesce_streams=True, resources=here
    ).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(Path(name))
