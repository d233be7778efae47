"""JSON Schema to fields, and answers checked against it. Pure.

`fields.fields_of` reads the fields out of a requested schema, `entries.content_of` turns what people put into them into
an answer, `check.check` judges it. `arguments` does the like for `k=v` arguments of a tool call. A schema comes from a
server nobody knows: `limits` says how much of it is looked at, `bounds` what is not evaluated at all.
"""
