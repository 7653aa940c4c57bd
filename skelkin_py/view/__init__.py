# SPDX-License-Identifier: MIT
"""A 3-D player in one HTML file: motion before and after, skin, ground, contacts, and the report's numbers.

`write_html` makes the file, `show` a page for a notebook. Both need numpy alone; the page needs a browser with
WebGL 2 and no network.
"""

from .page import Page as Page
from .page import show as show
from .page import write_html as write_html

__all__ = ["Page", "show", "write_html"]
