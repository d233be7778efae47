"""Who answers without a widget: a script, a text prompt, nobody."""
