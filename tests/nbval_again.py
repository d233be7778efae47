"""For `-p`: nbval starts a kernel once more where the first has died, or not come up in time.

A kernel's ports are chosen before it is there to take them, and on a busy machine another may be first.
`pytest-rerunfailures` is no help: it repeats a cell, and the kernel belongs to the notebook.
"""

from __future__ import annotations

from typing import Any

from nbval import kernel

_start = kernel.start_new_kernel


def _start_again(*args: Any, **kwargs: Any) -> Any:
    try:
        return _start(*args, **kwargs)
    except RuntimeError:
        return _start(*args, **kwargs)


kernel.start_new_kernel = _start_again
