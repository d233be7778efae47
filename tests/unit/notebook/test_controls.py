"""What each control holds at first, and what becomes of what a page puts in it."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import ipywidgets
import pytest

from mcp_notebook import controls
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.controls import Control, Maker, control_for
from mcp_notebook.notebook.controls.stock import FEW_BOXES, FEW_OPTIONS, MANY_OPTIONS
from mcp_notebook.schema.entries import content_of
from mcp_notebook.schema.fields import Field, fields_of


def made(schema: dict[str, Any], *, required: bool = False, name: str = "it", server: str = "") -> Made:
    whole = {"type": "object", "properties": {name: schema}, "required": [name] if required else []}
    (field,) = fields_of(whole)
    return Made(whole, field, control_for(field, Maker(), server))


class Made:
    """A control of the one field of a form."""

    def __init__(self, schema: dict[str, Any], field: Field, control: Control) -> None:
        self.schema, self.field, self.control = schema, field, control

    @property
    def widget(self) -> Any:
        return self.control.widget

    def put(self, **state: Any) -> Made:
        """Take what the page sends."""
        self.control.take({part.model_id: state for part in self.control.parts})
        return self

    @property
    def sent(self) -> Any:
        """The value that would be sent, or the complaint."""
        content, errors = content_of((self.field,), {self.field.name: self.control.entry()}, self.schema)
        return errors or content.get(self.field.name)


def options(count: int) -> dict[str, Any]:
    return {"type": "string", "enum": [f"option {number}" for number in range(count)]}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, ipywidgets.Text),
        ({"type": "string", "maxLength": 5000}, ipywidgets.Textarea),
        ({"type": "integer", "minimum": 1, "maximum": 500}, ipywidgets.Text),
        ({"type": "number"}, ipywidgets.Text),
        ({"type": "boolean"}, ipywidgets.RadioButtons),
        ({"type": "string", "format": "date"}, ipywidgets.DatePicker),
        ({"type": "string", "format": "date-time"}, ipywidgets.DatetimePicker),
        ({"type": "string", "format": "time"}, ipywidgets.TimePicker),
        (options(FEW_OPTIONS), ipywidgets.RadioButtons),
        (options(FEW_OPTIONS + 1), ipywidgets.Dropdown),
        (options(MANY_OPTIONS + 1), ipywidgets.Combobox),
        ({"type": "array", "items": options(FEW_BOXES)}, ipywidgets.HBox),
        ({"type": "array", "items": options(FEW_BOXES + 1)}, ipywidgets.SelectMultiple),
    ],
)
def test_each_kind_of_field_has_the_control_a_person_would_want(schema: dict[str, Any], kind: type):
    assert type(made(schema).widget).__mro__.index(kind) < 2


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "Ada"),
        ({"type": "string"}, "a\nb"),
        ({"type": "integer"}, -3),
        ({"type": "integer", "minimum": 1, "maximum": 1000}, 500),
        ({"type": "number"}, 0.1),
        ({"type": "number"}, 1e-7),
        ({"type": "boolean"}, False),
        ({"type": "boolean"}, True),
        ({"type": "string", "format": "date"}, "2026-12-27"),
        ({"type": "string", "format": "date-time"}, "2026-12-27T14:30:00Z"),
        ({"type": "string", "format": "date-time"}, "2026-12-27t14:30:15.123456789-07:00"),
        ({"type": "string", "format": "time"}, "14:30:00+09:00"),
        ({"type": "string", "format": "time"}, "14:30:15.5Z"),
        (options(3), "option 2"),
        (options(MANY_OPTIONS), "option 8"),
        (options(100), "option 99"),
        ({"enum": [1, "1", True, None]}, 1),
        ({"type": "array", "items": options(4)}, ["option 1", "option 3"]),
        ({"type": "array", "items": options(40)}, ["option 1", "option 30"]),
    ],
)
@pytest.mark.parametrize("required", [True, False])
def test_a_default_that_is_left_alone_is_sent_as_it_came(schema: dict[str, Any], value: Any, required: bool):
    sent = made({**schema, "default": value}, required=required).sent
    assert sent == value
    assert type(sent) is type(value)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean"},
        *({"type": "string", "format": name} for name in ("date", "date-time", "time")),
        options(3),
        options(MANY_OPTIONS),
        options(100),
        {"type": "array", "items": options(4)},
        {"type": "array", "items": options(40)},
    ],
)
def test_a_field_that_nobody_touched_is_absent_and_missed_where_it_is_required(schema: dict[str, Any]):
    assert made(schema).sent is None
    missed = made({**schema, "minItems": 1} if schema["type"] == "array" else schema, required=True).sent
    assert set(missed) == {"it"}


@pytest.mark.parametrize("count", [3, MANY_OPTIONS, 100])
def test_an_optional_choice_can_be_taken_back(count: int):
    control = made({**options(count), "default": "option 1"})
    empty = {3: {"index": 3}, MANY_OPTIONS: {"index": 0}, 100: {"value": " "}}[count]
    assert control.put(**empty).sent is None


def test_what_is_typed_to_search_has_to_be_one_option():
    many = made(options(30))
    assert many.put(value="option 7").sent == "option 7"
    assert many.put(value="  OPTION   7 ").sent == "option 7"
    assert "pick it from the list" in many.put(value="option").sent["it"]


def test_options_of_the_same_title_are_told_apart():
    titled = [{"const": number, "title": "Same"} for number in range(20)]
    many = made({"oneOf": [*titled, {"const": "x", "title": "Same (2)"}]})
    names = many.widget.options
    assert len(set(names)) == 21
    assert [many.put(value=name).sent for name in names] == [*range(20), "x"]


def test_an_option_called_no_answer_is_told_apart_from_giving_none():
    radio = made({"oneOf": [{"const": 1, "title": "No answer"}, {"const": 2, "title": "Two"}]})
    assert [title for title, _ in radio.widget.options] == ["No answer", "Two", "No answer (2)"]
    assert radio.sent is None
    assert radio.put(index=0).sent == 1


def test_a_moment_is_sent_with_the_offset_at_which_the_person_is():
    page = {"year": 2026, "month": 6, "date": 1, "hours": 12, "minutes": 30, "seconds": 0, "milliseconds": 0}
    moment = made({"type": "string", "format": "date-time"})
    assert moment.put(value=page, offset=540).sent == "2026-07-01T21:30:00+09:00"
    assert moment.put(value=page, offset=-210).sent == "2026-07-01T09:00:00-03:30"
    without = moment.put(value=page, offset=None).sent
    assert datetime.fromisoformat(without) == datetime(2026, 7, 1, 12, 30, tzinfo=timezone.utc)


@pytest.mark.parametrize("year", [1, 9999])
def test_a_moment_at_either_end_of_the_calendar_is_sent(year: int):
    page = {"year": year, "month": 0 if year == 1 else 11, "date": 1 if year == 1 else 31, "hours": 0, "minutes": 0}
    moment = made({"type": "string", "format": "date-time"})
    sent = moment.put(value={**page, "seconds": 0, "milliseconds": 0}, offset=-600).sent
    assert sent.startswith(f"{year:04}-")


def test_a_year_that_python_has_not_is_a_complaint_and_no_error():
    page = {"year": 12026, "month": 6, "date": 1, "hours": 12, "minutes": 30, "seconds": 0, "milliseconds": 0}
    moment = made({"type": "string", "format": "date-time"})
    assert "could not be read" in moment.put(value=page, offset=0).sent["it"]
    assert moment.put(value={**page, "year": 2026}, offset=0).sent == "2026-07-01T12:30:00+00:00"


def test_a_time_of_day_has_the_zone_of_its_default_or_else_the_persons():
    schema = {"type": "string", "format": "time"}
    page = {"hours": 9, "minutes": 15, "seconds": 0, "milliseconds": 0}
    assert made(schema).put(value=page, offset=-300).sent == "09:15:00-05:00"
    beside = made({**schema, "default": "08:30:00+09:00"})
    assert "UTC+09:00" in beside.widget.children[1].value
    assert beside.put(value=page).sent == "09:15:00+09:00"
    assert beside.put(value=None).sent is None


def test_a_secret_has_no_widget_that_could_hold_it_and_says_what_to_do_without_the_guard():
    secret = made({"type": "string", "default": "hunter2"}, name="password")
    assert secret.control.parts == ()
    (fallback,) = secret.widget.children
    assert "Reload the page" in fallback.value
    assert "hunter2" not in str(secret.widget.get_state()) + str(fallback.get_state())


def test_widgets_of_a_field_are_closed_with_its_form():
    make = Maker()
    (field,) = fields_of({"properties": {"it": {"type": "string", "format": "time", "default": "08:30:00Z"}}})
    widget: Any = control_for(field, make).widget
    assert set(widget.children) < set(make.widgets)
    make.close()
    assert all(each.comm is None for each in make.widgets)


# --- the register ---


@pytest.fixture(autouse=True)
def _empty_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_notebook.notebook.register._entries", [])


def slider(field: Field) -> ipywidgets.IntSlider:
    return ipywidgets.IntSlider(value=field.default or 3, min=0, max=10)


def test_a_registered_widget_takes_the_place_of_the_forms_own():
    controls.register(slider, kind="integer")
    number = made({"type": "integer", "maximum": 8})
    assert isinstance(number.widget, ipywidgets.IntSlider)
    assert number.sent == 3
    assert number.put(value=7).sent == 7
    assert number.put(value=9).sent == {"it": "must be at most 8"}


@pytest.mark.parametrize(
    ("which", "fits"),
    [
        ({"name": "it"}, True),
        ({"name": "other"}, False),
        ({"format": "stars"}, True),
        ({"format": "stars", "kind": "string"}, False),
        ({"kind": "integer", "server": "shop"}, True),
        ({"kind": "integer", "server": "bank"}, False),
        ({"name": "it", "kind": "integer", "format": "stars", "server": "shop"}, True),
    ],
)
def test_it_is_shown_for_the_fields_that_fit_all_that_was_named(which: dict[str, Any], fits: bool):
    controls.register(slider, **which)
    widget = made({"type": "integer", "format": "stars"}, server="shop").widget
    assert isinstance(widget, ipywidgets.IntSlider) is fits


def test_the_last_one_registered_is_shown_and_the_one_before_after_it_is_taken_out():
    def box(_: Field) -> ipywidgets.DOMWidget:
        return ipywidgets.IntText()

    controls.register(slider, kind="integer")
    controls.register(box, name="it")
    assert isinstance(made({"type": "integer"}).widget, ipywidgets.IntText)
    controls.unregister(box)
    assert isinstance(made({"type": "integer"}).widget, ipywidgets.IntSlider)
    controls.register(box, kind="integer")
    controls.unregister(box)
    assert isinstance(made({"type": "integer"}).widget, ipywidgets.Text)


def test_mistakes_in_registering_are_told_with_the_way_to_mend_them():
    with pytest.raises(UsageError, match="name=, a format= or a kind="):
        controls.register(slider)
    with pytest.raises(UsageError, match="the kinds are string, integer"):
        controls.register(slider, kind="colour")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="slider is not registered"):
        controls.unregister(slider)


def test_values_of_nested_widgets_are_put_together_by_a_function():
    def feet_and_inches(_: Field) -> ipywidgets.DOMWidget:
        return ipywidgets.VBox([ipywidgets.HBox([ipywidgets.IntText(6), ipywidgets.IntText(1)])])

    def metres(box: Any) -> float:
        feet, inches = (part.value for part in box.children[0].children)
        return (feet * 12 + inches) * 0.0254

    controls.register(feet_and_inches, name="it", value=metres)
    height = made({"type": "number"})
    assert len(height.control.parts) == 2
    assert height.sent == pytest.approx(1.8542)
    assert height.put(value=0).sent == 0


@pytest.mark.parametrize(
    ("schema", "value", "sent"),
    [
        (options(3), "option 2", "option 2"),
        (options(3), None, None),
        (options(3), "option 9", {"it": "is not one of the options"}),
        ({"type": "array", "items": options(3)}, ["option 2", "option 0"], ["option 2", "option 0"]),
        ({"type": "array", "items": options(3)}, 5, {"it": "is not one of the options"}),
        ({"type": "string", "format": "date"}, date(2026, 12, 27), "2026-12-27"),
        ({"type": "string", "format": "date"}, "2026-12-27", "2026-12-27"),
        ({"type": "string"}, "", None),
        ({"type": "string"}, ("a",), {"it": "must be text, and its control holds tuple"}),
        ({"type": "boolean"}, True, True),
        ({"type": "boolean"}, "true", {"it": "must be yes or no"}),
        ({"type": "integer"}, 3.0, 3),
    ],
)
def test_what_a_widget_of_the_users_holds_is_judged_like_all_else(schema: dict[str, Any], value: Any, sent: Any):
    controls.register(lambda _: ipywidgets.Text(), name="it", value=lambda _: value)
    assert made(schema).sent == sent


@pytest.mark.parametrize("made_instead", [None, "text", ipywidgets.Layout])
def test_a_builder_that_fails_leaves_the_question_to_the_forms_own_control_and_says_so(made_instead: Any):
    def broken(_: Field) -> Any:
        return made_instead() if callable(made_instead) else made_instead

    controls.register(broken, kind="string")
    text = made({"type": "string", "default": "Ada"})
    own, note = text.widget.children
    assert isinstance(own, ipywidgets.Text)
    assert "TypeError: it made no widget to show" in note.value
    assert text.sent == "Ada"


def test_a_builder_that_raises_has_its_error_shown_as_text():
    def broken(_: Field) -> Any:
        raise LookupError("<b>no</b> such thing")

    controls.register(broken, kind="string")
    note = made({"type": "string"}).widget.children[1]
    assert "LookupError: &lt;b&gt;no" in note.value


def test_a_widget_that_was_closed_is_not_shown_again():
    once = ipywidgets.Text()
    controls.register(lambda _: once, kind="string")
    first = made({"type": "string"})
    assert first.widget is once
    once.close()
    assert "make a new one each time" in made({"type": "string"}).widget.children[1].value


def test_a_value_that_cannot_be_read_is_a_complaint_at_its_field():
    def fail(_: Any) -> Any:
        raise KeyError("colour")

    controls.register(lambda _: ipywidgets.Text(), kind="string", value=fail)
    assert made({"type": "string"}).sent == {"it": "could not be read from its control (KeyError: 'colour')"}


def test_a_widget_that_refuses_what_the_page_sends_is_a_complaint_at_its_field():
    controls.register(slider, kind="integer")
    assert "could not be read" in made({"type": "integer"}).put(value="seven").sent["it"]


def test_a_secret_never_goes_into_a_widget_of_the_users():
    controls.register(lambda _: ipywidgets.Password(), name="password")
    assert made({"type": "string"}, name="password").control.parts == ()
