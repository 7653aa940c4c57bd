# SPDX-License-Identifier: MIT
"""How ``--help`` looks: paragraphs as wide as the terminal, examples as they are written."""

from __future__ import annotations

import argparse
import textwrap


class HelpFormatter(argparse.HelpFormatter):
    r"""Wraps the paragraphs of a description one by one, and leaves lines that are indented as they are.

    Examples
    --------
    >>> text = "Words that go\non and on.\n\n  skelkin plant a.bvh\n\nMore."
    >>> print(HelpFormatter("skelkin", width=82)._fill_text(text, 80, ""))
    Words that go on and on.
    <BLANKLINE>
      skelkin plant a.bvh
    <BLANKLINE>
    More.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(
            textwrap.indent(each if each.startswith(" ") else textwrap.fill(each, width - len(indent)), indent)
            for each in paragraphs
        )
