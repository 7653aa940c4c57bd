# SPDX-License-Identifier: MIT
"""Pages in a browser: their pictures, and waiting for what they do."""

from __future__ import annotations

import io
import time

import numpy as np
from PIL import Image

LIMIT = 200_000  # ms for whatever is waited for: graphics without a graphics card take what the machine can give
# A script that takes WebGL away.
FLAT_ONLY = """const all = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === "2d" ? all.call(this, kind, ...rest) : null;
  };"""


class Tab:
    """One page with all that went wrong in it."""

    def __init__(self, page, complaints, requests):
        self.page, self.complaints, self.requests = page, complaints, requests

    def picture(self, frame=None):
        """Return the drawing at a frame as an array (height, width, 3)."""
        if frame is not None:
            self.page.evaluate(f"skelkin.setFrame({frame})")
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return decode_png(self.page.locator("#view").screenshot())


def decode_png(data):
    """Return a screenshot as (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def wait_until(page, condition):
    """Wait for a condition by asking; the page's own policy forbids playwright's way, which evaluates text in it."""
    wait_for(page, lambda: page.evaluate(condition), condition)


def wait_for(page, condition, what):
    """Wait until a function of no arguments returns something true, and return that."""
    limit = time.monotonic() + LIMIT / 1000
    while time.monotonic() < limit:
        if found := condition():
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"not within {LIMIT / 1000:g} s: {what}")


def changed(first, second):
    """Return the share of pixels that differ visibly."""
    return float((np.abs(first.astype(int) - second.astype(int)).max(-1) > 24).mean())
