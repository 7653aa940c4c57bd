# SPDX-License-Identifier: MIT
"""A user's hand in Blender's window: mouse and keys as simulated events, and screenshots.

Blender tells nobody where its buttons are. A button is found as a user could: hover, copy its Python command with
Ctrl+C, and look at what is in the clipboard.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import bpy
from mathutils import Euler

_DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
TAB_EDGE = 12  # pixels from the region's right edge to the middle of its tabs


class Hand:
    """Moves and clicks in the first window's 3-D view; every method that waits is a generator of seconds."""

    def __init__(self, shots: Path) -> None:
        self.shots = shots
        self.at = 0, 0  # where the mouse is

    @property
    def window(self) -> bpy.types.Window:
        return bpy.context.window_manager.windows[0]

    @property
    def area(self) -> bpy.types.Area:
        return next(area for area in self.window.screen.areas if area.type == "VIEW_3D")

    @property
    def sidebar(self) -> bpy.types.Region:
        return next(region for region in self.area.regions if region.type == "UI")

    def at_the_view(self):
        """Return the context that operators need: a timer has none of its own."""
        return bpy.context.temp_override(window=self.window, screen=self.window.screen, area=self.area)

    def shot(self, name: str) -> Iterator[float]:
        """Save a picture of the window, drawn anew so that it shows the present state."""
        yield from self.redraw()
        self.picture(name)

    def redraw(self) -> Iterator[float]:
        """Have the window drawn anew: nobody's mouse meets buttons of classes that are gone by then."""
        for area in self.window.screen.areas:
            area.tag_redraw()
        yield 0.3

    def picture(self, name: str) -> None:
        """Save a picture of what the window shows."""
        with self.at_the_view():
            bpy.ops.screen.screenshot(filepath=str(self.shots / f"{name}.png"))

    def show_side_view(self) -> None:
        """Look at the walk from its side, near the ground."""
        view = self.area.spaces.active.region_3d
        view.view_perspective = "ORTHO"
        view.view_rotation = Euler((1.45, 0.0, 1.2)).to_quaternion()
        view.view_location = (0.0, -0.5, 0.8)
        view.view_distance = 4.0

    def move(self, x: int, y: int) -> Iterator[float]:
        self.at = x, y
        self.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
        yield 0.05

    def press(self, key: str, *, ctrl: bool = False, shift: bool = False) -> Iterator[float]:
        """Press a key over the middle of the 3-D view."""
        x, y = self.area.x + self.area.width // 2, self.area.y + self.area.height // 2
        yield from self.move(x, y)
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type=key, value=value, x=x, y=y, ctrl=ctrl, shift=shift)
        yield 0.6

    def key(self, key: str) -> Iterator[float]:
        """Press a key where the mouse is."""
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type=key, value=value, x=self.at[0], y=self.at[1])
        yield 0.6

    def write(self, number: str) -> Iterator[float]:
        """Type a number where the mouse is."""
        names = dict(zip("0123456789.", (*_DIGITS, "PERIOD"), strict=True))
        for letter in number:
            x, y = self.at
            self.window.event_simulate(type=names[letter], value="PRESS", unicode=letter, x=x, y=y)
            self.window.event_simulate(type=names[letter], value="RELEASE", x=x, y=y)
            yield 0.2

    def tap_at(self, x: int, y: int) -> Iterator[float]:
        """Click without waiting for what it does."""
        yield from self.move(x, y)
        yield 0.2
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type="LEFTMOUSE", value=value, x=x, y=y)
            yield 0.02

    def click_at(self, x: int, y: int) -> Iterator[float]:
        yield from self.move(x, y)
        yield 0.2
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type="LEFTMOUSE", value=value, x=x, y=y)
            yield 0.1
        yield 0.8

    def hold(self, start: tuple[int, int], end: tuple[int, int]) -> Iterator[float]:
        """Press the left button and drag it somewhere, without letting go."""
        yield from self.move(*start)
        yield 0.2
        self.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=start[0], y=start[1])
        yield 0.1
        for part in (0.25, 0.5, 0.75, 1.0):
            yield from self.move(*(round(a + (b - a) * part) for a, b in zip(start, end, strict=True)))
        yield 0.2

    def let_go(self) -> Iterator[float]:
        """Let go of the left button where the mouse is."""
        self.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=self.at[0], y=self.at[1])
        yield 0.6

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> Iterator[float]:
        """Drag with the left button."""
        yield from self.hold(start, end)
        yield from self.let_go()

    def open_sidebar(self) -> Iterator[float]:
        """Press N over the view."""
        yield from self.press("N")
        assert self.sidebar.width > 50, "N did not open the sidebar"

    def open_tab(self, panel_prefix: str) -> Iterator[float]:
        """Click down the tabs until a panel of this name prefix is drawn."""
        drawn: list[str] = []

        def note(panel, _context) -> None:
            drawn.append(panel.bl_idname)

        panels = [
            getattr(bpy.types, name) for name in dir(bpy.types)
            if name.startswith(panel_prefix) and getattr(bpy.types, name).bl_space_type == "VIEW_3D"
        ]  # fmt: skip
        assert panels, f"no panel is named {panel_prefix}…"
        for panel in panels:
            panel.append(note)
        try:
            region = self.sidebar
            for y in range(region.y + region.height - 20, region.y, -20):
                yield from self.click_at(region.x + region.width - TAB_EDGE, y)
                if drawn:
                    return
        finally:
            for panel in panels:
                panel.remove(note)
        raise AssertionError("no tab shows the add-on's panel")

    def unfold(self, name: str) -> None:
        """Open a panel that is folded until somebody opens it."""
        self._register_again(name, set())

    def fold(self, name: str) -> None:
        """Take a panel out of sight that was opened."""
        self._register_again(name, {"DEFAULT_CLOSED"})

    def _register_again(self, name: str, options: set[str]) -> None:
        panel = getattr(bpy.types, name)
        bpy.utils.unregister_class(panel)
        panel.bl_options = options
        bpy.utils.register_class(panel)
        self.sidebar.tag_redraw()

    def scroll_up(self) -> Iterator[float]:
        """Turn the wheel over the sidebar, up to its top."""
        yield from self.scroll_down(30, "WHEELUPMOUSE")

    def scroll_down(self, notches: int = 12, wheel: str = "WHEELDOWNMOUSE") -> Iterator[float]:
        """Turn the wheel over the sidebar."""
        region = self.sidebar
        x, y = region.x + region.width // 3, region.y + region.height // 2
        yield from self.move(x, y)
        for _ in range(notches):
            self.window.event_simulate(type=wheel, value="PRESS", x=x, y=y)
            yield 0.05

    def look_for(self, operator: str, across: float = 1 / 3) -> Generator[float, None, tuple[int, int] | None]:
        """Return the middle of an operator's button in the sidebar, so far across it; None where it has none."""
        region, manager = self.sidebar, bpy.context.window_manager
        x = region.x + int(region.width * across)
        heights = []
        for y in range(region.y + region.height - 10, region.y + 10, -6):
            manager.clipboard = ""
            yield from self.move(x, y)
            for value in ("PRESS", "RELEASE"):
                self.window.event_simulate(type="C", value=value, ctrl=True, x=x, y=y)
            yield 0.05
            if manager.clipboard.startswith(f"bpy.ops.{operator}("):
                heights.append(y)
            elif heights:
                break
        return (x, heights[len(heights) // 2]) if heights else None

    def click(self, operator: str, across: float = 1 / 3) -> Iterator[float]:
        """Click an operator's button in the sidebar, so far across it."""
        place = yield from self.look_for(operator, across)
        assert place, f"the sidebar has no button of {operator}"
        yield from self.click_at(*place)
