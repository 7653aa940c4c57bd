# SPDX-License-Identifier: MIT
"""A 3-D player in one HTML file: motion before and after, skin, ground, contacts, the report's numbers; and films.

`write_html` makes the file, `show` a page for a notebook. Both need numpy alone; the page needs a browser with
WebGL 2 and no network. `write_film` makes a GIF or an MP4, `write_picture` a PNG; they need the extra ``film``.
"""

from .film import write_film as write_film, write_picture as write_picture
from .page import Page as Page, show as show, write_html as write_html

__all__ = ["Page", "show", "write_film", "write_html", "write_picture"]
