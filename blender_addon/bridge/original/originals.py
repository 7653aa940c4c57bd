# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object plays without the switch: an action, above strips of the NLA where there are some, or these alone."""

from __future__ import annotations

import hashlib

from ...core.steps import Steps, finished
from .. import actions
from . import kept, nla


def digest(ob, source, slot, names: dict | None = None) -> str:
    """Return the digest of the original: of its action and, where strips play, of these and how it is laid over them.

    ``names`` are those of `actions.digest`.
    """
    return finished(digest_steps(ob, source, slot, names))


def digest_steps(ob, source, slot, names: dict | None = None) -> Steps:
    """Return what `digest` returns, a curve at a time."""
    own = yield from actions.digest_steps(source, slot, None, names)
    if not nla.blends(ob):
        return own
    use = kept.former_use(ob) or nla.use_of(ob)
    strips = yield from nla.digest_steps(ob, names)
    return hashlib.sha256(repr((own, use if source is not None else None, strips)).encode()).hexdigest()


def name_of(ob, source) -> str:
    """Return the name of the original."""
    return source.name if source is not None else f"NLA of {ob.name}"
