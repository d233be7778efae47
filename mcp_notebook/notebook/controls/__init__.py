"""One control for each field of a form: the user's own where one is registered, else core ipywidgets."""

from __future__ import annotations

from mcp_notebook.notebook.controls.control import Control, Maker, class_name
from mcp_notebook.notebook.controls.own import own_control
from mcp_notebook.notebook.controls.stock import stock_control
from mcp_notebook.notebook.register import registered_for
from mcp_notebook.schema.fields import Field

__all__ = ["Control", "Maker", "class_name", "control_for"]


def control_for(field: Field, make: Maker, server: str = "") -> Control:
    """Make the control of a field, filled in with the field's default.

    Args:
        field: The field.
        make: Makes the form's widgets.
        server: The name of the server that asks.
    """
    entry = None if field.secret else registered_for(field, server)
    control = own_control(field, make, entry) if entry else stock_control(field, make)
    for name in ("mcp-field", f"mcp-field-{class_name(field.name)}", *(("mcp-required",) if field.required else ())):
        control.widget.add_class(name)
    return control
