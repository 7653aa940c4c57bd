# SPDX-License-Identifier: MIT
"""Films and pictures of clips, drawn by matplotlib without a window (the extra ``film``)."""

from .write import write_film, write_picture

__all__ = ["write_film", "write_picture"]
