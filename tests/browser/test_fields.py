"""Every kind of field in a real browser, filled in as a person does; the values read back from the server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Notebook
from tests.curious import ROOT, call, received, setup
from tests.kernels import NEWEST

COUNTRIES = (
    *("Austria", "Belgium", "Bulgaria", "Croatia", "Cyprus", "Czechia", "Denmark"),
    *("Estonia", "Finland", "France", "Germany", "Greece", "Hungary", "Ireland"),
    *("Italy", "Latvia", "Lithuania", "Luxembourg", "Malta", "Netherlands", "Poland"),
    *("Portugal", "Romania", "Slovakia", "Slovenia", "Spain", "Sweden"),
)
LONG = "a title that is longer than most people would ever write and still goes on and on, to no end that anyone sees"

FIELDS: dict[str, Any] = {
    "text": {"type": "string", "title": LONG},
    "note": {"type": "string", "maxLength": 1000},
    "count": {"type": "integer", "minimum": 1, "maximum": 500},
    "weight": {"type": "number"},
    "agreed": {"type": "boolean"},
    "reminder": {"type": "boolean"},
    "size": {"type": "string", "enum": ["S", "M", "L"]},
    "meal": {"type": "string", "enum": [f"dish {number}" for number in range(9)]},
    "country": {"type": "string", "enum": [*COUNTRIES]},
    "toppings": {"type": "array", "items": {"enum": ["cheese", "olives", LONG]}, "maxItems": 2},
    "visited": {"type": "array", "items": {"enum": [*COUNTRIES]}},
    "day": {"type": "string", "format": "date"},
    "moment": {"type": "string", "format": "date-time"},
    "alarm": {"type": "string", "format": "time"},
    "alarm2": {"type": "string", "format": "time", "default": "08:30:00+09:00"},
    "password": {"type": "string"},
    "x" * 200: {"type": "string"},
    "naïve.name with spaces 🙂": {"type": "string"},
    "__proto__": {"type": "string"},
}


def form_of(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def asked(
    lab: Lab,
    properties: dict[str, Any],
    *required: str,
    before: str = "",
    zone: str = "",
    app: Literal["lab", "notebook"] = "lab",
) -> Notebook:
    """A notebook with a form of these fields open in cell 1; cell 2 asks the same again."""
    cells = [setup(ask=form_of(properties, *required)) + "\n" + before, call("ask"), call("ask")]
    notebook = lab.open(cells, kernel=NEWEST, app=app, fresh=bool(zone))
    if zone:
        session = notebook.page.context.new_cdp_session(notebook.page)
        session.send("Emulation.setTimezoneOverride", {"timezoneId": zone})
    assert "connected" in notebook.run(0, timeout=30), notebook.text(0)
    return again(notebook, cell=1)


def again(notebook: Notebook, cell: int = 2) -> Notebook:
    notebook.start(cell)
    notebook.cell(cell).locator(".mcp-form[role]").wait_for()
    return notebook


def field(notebook: Notebook, name: str, cell: int = 1) -> Locator:
    return notebook.cell(cell).locator(f".mcp-field-{name}")


def submit(notebook: Notebook, cell: int = 1) -> dict[str, Any] | None:
    """Press Submit; what the server got."""
    notebook.cell(cell).locator(".mcp-submit").click()
    notebook.finish()
    return received(notebook.text(cell))


def test_every_kind_of_field_arrives_as_a_person_filled_it_in(lab: Lab):
    notebook = asked(lab, FIELDS, *(name for name in FIELDS if name not in ("reminder", "alarm2")), zone="Asia/Tokyo")
    keyboard = notebook.page.keyboard
    expect(field(notebook, "text").locator("input")).to_be_focused()
    keyboard.type("some text")
    field(notebook, "note").locator("textarea").click()
    keyboard.type("two\nlines")
    field(notebook, "count").locator("input").fill("250")
    field(notebook, "weight").locator("input").fill("0.5")
    field(notebook, "agreed").get_by_label("No", exact=True).check()
    field(notebook, "size").get_by_label("M").check()
    field(notebook, "meal").locator("select").select_option("dish 7")
    field(notebook, "country").locator("input").click()
    keyboard.type("malta")
    field(notebook, "toppings").get_by_text("cheese").click()
    field(notebook, "toppings").get_by_text(LONG).click()
    for country in ("Sweden", "Malta", "Austria", "Malta"):
        field(notebook, "visited").locator("option", has_text=country).click()
    field(notebook, "day").locator("input").click(position={"x": 12, "y": 12})
    keyboard.type("12272026")
    field(notebook, "moment").locator("input").fill("2026-12-27T14:30")
    field(notebook, "alarm").locator("input").fill("09:15")
    field(notebook, "password").locator("input").fill("hunter2")
    field(notebook, "x" * 200).locator("input").fill("long")
    field(notebook, "na_efve_2ename_20with_20spaces_20_1f642").locator("input").fill("odd")
    field(notebook, "__proto__").locator("input").fill("plain")
    assert submit(notebook) == {
        "text": "some text",
        "note": "two\nlines",
        "count": 250,
        "weight": 0.5,
        "agreed": False,
        "size": "M",
        "meal": "dish 7",
        "country": "Malta",
        "toppings": ["cheese", LONG],
        "visited": ["Austria", "Sweden"],
        "day": "2026-12-27",
        "moment": "2026-12-27T14:30:00+09:00",
        "alarm": "09:15:00+09:00",
        "alarm2": "08:30:00+09:00",
        "password": "hunter2",
        "x" * 200: "long",
        "naïve.name with spaces 🙂": "odd",
        "__proto__": "plain",
    }


@pytest.mark.matrix
def test_enter_picks_a_suggestion_and_does_not_submit(lab: Lab):
    notebook = asked(lab, {"country": FIELDS["country"]}, "country")
    box = field(notebook, "country").locator("input")
    expect(box).to_have_attribute("placeholder", re.compile("search 27 options"))
    box.press_sequentially("pol")
    box.press("Enter")
    expect(notebook.cell(1).locator(".mcp-sending")).to_have_count(0)
    box.fill("Pol")
    notebook.cell(1).locator(".mcp-submit").click()
    expect(notebook.cell(1).locator(".mcp-error")).to_contain_text("pick it from the list")
    expect(box).to_have_value("Pol")
    box.fill("poland")
    box.press("Control+Enter")
    notebook.finish()
    assert received(notebook.text(1)) == {"country": "Poland"}


MOMENTS = {"summer": "2026-07-01T12:00", "winter": "2026-12-01T12:00"}


@pytest.mark.matrix
def test_a_moment_is_the_persons_own_whatever_zone_the_kernel_is_in(lab: Lab):
    moment: dict[str, Any] = {"type": "string", "format": "date-time"}
    fields = {**dict.fromkeys(MOMENTS, moment), "given": {**moment, "default": "2026-07-01T12:00:00Z"}}
    kernel_in_tokyo = "import os, time\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()"
    notebook = asked(lab, fields, before=kernel_in_tokyo, zone="America/New_York")
    expect(field(notebook, "given").locator("input")).to_have_value(re.compile("^2026-07-01T08:00"))
    expect(field(notebook, "summer").locator(".mcp-zone")).to_have_text("America/New York")
    for name, text in MOMENTS.items():
        field(notebook, name).locator("input").fill(text)
    assert submit(notebook) == {
        "summer": "2026-07-01T12:00:00-04:00",
        "winter": "2026-12-01T12:00:00-05:00",
        "given": "2026-07-01T12:00:00Z",
    }


@pytest.mark.matrix
@pytest.mark.parametrize("kind", ["date", "date-time", "time"])
def test_a_moment_that_is_typed_in_part_is_not_taken_for_none(lab: Lab, kind: str):
    notebook = asked(lab, {"it": {"type": "string", "format": kind}})
    box = field(notebook, "it").locator("input")
    box.click(position={"x": 12, "y": 12})
    notebook.page.keyboard.type("12")
    notebook.cell(1).locator(".mcp-submit").click()
    expect(box).to_be_focused()
    expect(notebook.cell(1).locator(".mcp-sending")).to_have_count(0)
    box.fill("")
    assert submit(notebook) == {}


@pytest.mark.matrix
def test_no_value_leaks_from_one_form_to_the_next(lab: Lab):
    notebook = asked(lab, {"text": {"type": "string"}, "password": {"type": "string"}, "size": FIELDS["size"]})
    field(notebook, "text").locator("input").fill("first")
    field(notebook, "password").locator("input").fill("first secret")
    field(notebook, "size").get_by_label("S", exact=True).check()
    assert submit(notebook) == {"text": "first", "password": "first secret", "size": "S"}
    again(notebook)
    assert submit(notebook, cell=2) == {}


OVERFLOWING = """form => [...form.querySelectorAll("*")]
    .filter(part => part.getBoundingClientRect().right > form.getBoundingClientRect().right + 1 && part.offsetHeight)
    .map(part => part.outerHTML.slice(0, 200))"""


@pytest.mark.matrix
@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_of_a_form_sticks_out_of_it(lab: Lab, width: int):
    notebook = asked(lab, FIELDS)
    notebook.page.set_viewport_size({"width": width, "height": 3000})
    if notebook.page.locator(".jp-SideBar.jp-mod-left .lm-mod-current").count():
        notebook.command("application:toggle-left-area")
    form = notebook.cell(1).locator(".mcp-form")
    assert form.evaluate(OVERFLOWING) == []
    notebook.page.set_viewport_size({"width": 1200, "height": 900})
    notebook.cell(1).locator(".mcp-cancel").click()
    notebook.finish()


def test_notebook_7_shows_and_sends_the_same(lab: Lab):
    fields = {name: FIELDS[name] for name in ("text", "visited", "moment", "password")}
    notebook = asked(lab, fields, zone="UTC", app="notebook")
    field(notebook, "text").locator("input").fill("seven")
    field(notebook, "visited").locator("option", has_text="Malta").click()
    field(notebook, "moment").locator("input").fill("2026-12-27T14:30")
    field(notebook, "password").locator("input").fill("hunter2")
    assert submit(notebook) == {
        "text": "seven",
        "visited": ["Malta"],
        "moment": "2026-12-27T14:30:00+00:00",
        "password": "hunter2",
    }


# --- controls of one's own ---

OWN = '''
import anywidget, ipywidgets, traitlets
from mcp_notebook import controls

class Stars(anywidget.AnyWidget):
    _esm = """
    export default { render({ model, el }) {
      for (let n = 1; n <= 5; n++) {
        const star = document.createElement("button");
        star.textContent = "☆";
        star.className = `star-${n}`;
        star.onclick = () => { model.set("value", n); model.save_changes(); };
        el.append(star);
      }
    } };
    """
    value = traitlets.Int(None, allow_none=True).tag(sync=True)

def feet_and_inches(field):
    return ipywidgets.HBox([ipywidgets.VBox([ipywidgets.IntText(5), ipywidgets.IntText(0)])])

def metres(box):
    feet, inches = (part.value for part in box.children[0].children)
    return round((feet * 12 + inches) * 0.0254, 4)

controls.register(lambda field: Stars(), name="stars")
controls.register(feet_and_inches, name="height", value=metres)
controls.register(lambda field: ipywidgets.ColorPicker(value="#000000"), format="color")
controls.register(lambda field: ipywidgets.TagsInput(allowed_tags=["a", "b"]), name="tags")
controls.register(lambda field: ipywidgets.FileUpload(), name="file",
                  value=lambda upload: bytes(upload.value[0].content).decode() if upload.value else None)
controls.register(lambda field: 1 / 0, name="broken")
'''


def test_widgets_of_the_users_own_are_shown_and_read(lab: Lab):
    fields = {
        "stars": {"type": "integer"},
        "height": {"type": "number"},
        "colour": {"type": "string", "format": "color"},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
        "file": {"type": "string"},
        "broken": {"type": "string"},
    }
    notebook = asked(lab, fields, before=OWN)
    field(notebook, "stars").locator(".star-4").click()
    field(notebook, "height").locator("input").nth(0).fill("6")
    field(notebook, "height").locator("input").nth(1).fill("1")
    field(notebook, "colour").locator("input[type=text]").fill("#336699")
    field(notebook, "tags").locator("input").press_sequentially("b")
    field(notebook, "tags").locator("input").press("Enter")
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": "gräße".encode()}
    with notebook.page.expect_file_chooser() as chooser:
        field(notebook, "file").click()
    chooser.value.set_files(file)  # type: ignore[arg-type]
    expect(field(notebook, "file")).to_contain_text("(1)")
    expect(field(notebook, "broken")).to_contain_text("ZeroDivisionError")
    field(notebook, "broken").locator("input").fill("stock")
    assert submit(notebook) == {
        "stars": 4,
        "height": 1.8542,
        "colour": "#336699",
        "tags": ["b"],
        "file": "gräße",
        "broken": "stock",
    }


def example() -> tuple[str, dict[str, Any]]:
    """The example of docs/controls.md."""
    text = Path(ROOT, "docs", "controls.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return "\n".join(code), {"colour": {"type": "string", "format": "color"}, "stars": {"type": "integer"}}


def test_the_example_of_the_documentation_works(lab: Lab):
    code, fields = example()
    notebook = asked(lab, fields, before=code)
    field(notebook, "colour").locator("input[type=text]").fill("#336699")
    assert submit(notebook) == {"colour": "#336699", "stars": 3}
