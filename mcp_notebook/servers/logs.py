"""What a server says of its work: its log notifications, bounded."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import TYPE_CHECKING

from mcp_notebook.types import LogRecord

if TYPE_CHECKING:
    from mcp.types import LoggingMessageNotificationParams

MAX_RECORDS = 1000
MAX_TEXT = 4000


class Logs:
    """The last records of one server."""

    def __init__(self) -> None:
        self._records: deque[LogRecord] = deque(maxlen=MAX_RECORDS)

    async def __call__(self, params: LoggingMessageNotificationParams) -> None:
        """Take in a notification (MCP specification, server/utilities/logging)."""
        data = params.data
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
        logger = (params.logger or "")[:100]
        self._records.append(LogRecord(time=time.time(), level=params.level, logger=logger, text=text[:MAX_TEXT]))

    def records(self) -> list[LogRecord]:
        """Give them, the oldest first."""
        return list(self._records)
