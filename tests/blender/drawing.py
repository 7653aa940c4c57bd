# SPDX-License-Identifier: MIT
"""A layout that remembers what a panel draws into it."""

from __future__ import annotations

import bpy


class Layout:
    """Takes everything a panel draws and remembers its texts and operators."""

    def __init__(self, drawn=None):
        self.__dict__["drawn"] = drawn if drawn is not None else []

    def __setattr__(self, name, value):
        pass

    def __getattr__(self, name):
        def call(*arguments, **options):
            if name in ("operator", "prop", "prop_search", "label"):
                self.drawn.append((name, *arguments, options))
            if name == "prop_search":
                assert hasattr(arguments[2], arguments[3])
            if name in ("prop", "prop_search"):
                assert arguments[1] in arguments[0].bl_rna.properties
            return Layout(self.drawn)

        return call


def draw(name):
    """Draw one panel; return what it drew."""
    panel = getattr(bpy.types, name)
    if hasattr(panel, "poll") and not panel.poll(bpy.context):
        return None
    layout = Layout()
    panel.draw(type("Fake", (), {"layout": layout})(), bpy.context)
    return layout.drawn


def texts(drawn):
    return " | ".join(str(item[-1].get("text", "")) for item in drawn)


def sentences(drawn):
    """Return all text as it reads, whatever lines it is laid out in."""
    return " ".join(filter(None, (str(item[-1].get("text", "")) for item in drawn)))


def operators(drawn):
    return {item[1]: item[-1] for item in drawn if item[0] == "operator"}
