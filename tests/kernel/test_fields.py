"""Fields in real kernels: the values that come with the guard's answer are what is sent, on every release."""

from __future__ import annotations

from typing import Any

import pytest

from tests.curious import call, received, setup
from tests.kernel.client import Cell, Frontend
from tests.kernel.widgets import Model

pytestmark = pytest.mark.newest_kernel  # tests/kernel/test_forms.py varies the kernel

SCHEMA = {
    "type": "object",
    "properties": {
        "moment": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date", "default": "2026-12-27"},
        "country": {"type": "string", "enum": [f"country {number}" for number in range(40)]},
        "height": {"type": "number"},
        "password": {"type": "string"},
    },
}
OWN = """
import ipywidgets
from mcp_notebook import controls
def feet_and_inches(field):
    return ipywidgets.HBox([ipywidgets.VBox([ipywidgets.IntText(5), ipywidgets.IntText(0)])])
def metres(box):
    feet, inches = (part.value for part in box.children[0].children)
    return round((feet * 12 + inches) * 0.0254, 4)
controls.register(feet_and_inches, name="height", value=metres)
import os, time
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()
"""


@pytest.fixture
def cell(frontend: Frontend) -> Cell:
    """A cell that waits with a form of these fields, in a kernel in Tokyo."""
    connected = frontend.run(f"{setup(ask=SCHEMA)}\n{OWN}", timeout=60)
    assert connected.status == "ok", connected.text
    cell = frontend.execute(call("ask"))
    frontend.find("mcp-submit")
    return cell


def guard(page: Frontend) -> Model:
    """The guard of the form that is open."""
    return page.until(lambda: [model for model in page.models.values() if model.is_anywidget and not model.closed])[-1]


def submit(page: Frontend, values: dict[str, Any], secrets: list[str]) -> None:
    """Send what the page's guard sends: all values in one message, by model id."""
    page.send(guard(page), {"type": "answer", "id": 1, "action": "accept", "values": values, "secrets": secrets})


def test_values_come_with_the_answer_and_not_before_it(frontend: Frontend, cell: Cell):
    noon = {"year": 2026, "month": 6, "date": 1, "hours": 12, "minutes": 0, "seconds": 0, "milliseconds": 0}
    height = frontend.find("mcp-field-height")
    feet, inches = [part for part in frontend.models.tree(height) if part.state.get("_model_name") == "IntTextModel"]
    feet, inches = sorted((feet, inches), key=lambda part: -part["value"])
    values = {
        frontend.find("mcp-field-moment").comm_id: {"value": noon, "offset": -240},
        frontend.find("mcp-field-day").comm_id: {"value": None},
        frontend.find("mcp-field-country").comm_id: {"value": "Country 7"},
        feet.comm_id: {"value": 6},
        inches.comm_id: {"value": 1},
    }
    submit(frontend, values, ["hunter2"])
    assert frontend.finish(cell).status == "ok", cell.text
    assert received(cell.text) == {
        "moment": "2026-07-01T08:00:00-04:00",
        "country": "country 7",
        "height": 1.8542,
        "password": "hunter2",
    }


def test_an_answer_that_cannot_be_read_is_refused_and_can_be_mended(frontend: Frontend, cell: Cell):
    moment, country = frontend.find("mcp-field-moment"), frontend.find("mcp-field-country")
    submit(frontend, {moment.comm_id: {"value": "nonsense"}, country.comm_id: {"value": "Atlantis"}}, [""])
    refused = frontend.until(lambda: guard(frontend).messages)
    assert refused == [{"type": "refused", "id": 1}]
    assert "mcp-invalid" in moment.classes
    assert "mcp-invalid" in country.classes
    submit(frontend, {moment.comm_id: {"value": None}, country.comm_id: {"value": ""}}, [""])
    assert frontend.finish(cell).status == "ok", cell.text
    assert received(cell.text) == {"day": "2026-12-27", "height": 1.524}


def test_no_widget_of_a_form_is_left_when_it_has_ended(frontend: Frontend, cell: Cell):
    submit(frontend, {}, [""])
    frontend.finish(cell)
    left = frontend.run("from ipywidgets import Widget\nprint([*Widget.get_manager_state()['state']])")
    assert left.text.strip() == "[]"
