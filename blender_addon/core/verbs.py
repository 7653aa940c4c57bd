# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs of the switch as plans: what to write, what to play, what to plant and what to say; nothing is done here.

A verb takes the state of the file, the object it is for and what was chosen, and returns a `Result`, or refuses. A new
one is a function here and a line in the table of ``operators/upkeep.py``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .renames import bone_channel
from .state import PLACES, Action, ObjectState, Played, Record, Refused, State

#: what the name of an original ends with once the planted action has its name
_ORIGINAL = " original"


class Copy(NamedTuple):
    """A copy of an action that is not there yet; in plans it stands where an action and its slot do."""

    of: Played
    name: str


class Play(NamedTuple):
    """Let an object play something, then set what the former alone animated.

    Where it goes ``on``, what plays is a planted action: what is there is recorded, and strips are played over.
    """

    ob: Any
    plays: Played | Copy
    on: bool = False
    use: Any = None  # how it is laid over strips, where that changes
    values: tuple = ()  # of (data path, index, value)


class Set(NamedTuple):
    """Set properties; those that are None become as if they had never been set."""

    of: Any
    values: dict


class Point(NamedTuple):
    """Let an object point to the pair that the switch swaps, and to planted actions besides."""

    ob: Any
    source: Any = None
    planted: Any = None
    held: tuple = ()


class Clear(NamedTuple):
    """Let an action forget all that it remembers."""

    action: Any


class Remove(NamedTuple):
    """Remove an action."""

    action: Any


class Plant(NamedTuple):
    """Plant the feet into a copy of what plays; ``again``: of the original of the planted action that plays."""

    settings: dict
    again: bool = False
    outdated: Played | None = None  # the planted action in whose place it comes, and whose edited contacts count
    find_contacts_again: bool = False
    keeps_touch_ups: bool = True


class Result(NamedTuple):
    """What comes of a verb: what is reported (a line, warnings, notes), what is written, and then planted."""

    line: str
    messages: list[str]
    notes: tuple[str, ...] = ()
    writes: tuple = ()
    plant: Plant | None = None  # what is done last


def on(state: State, ob, chosen: dict) -> Result:
    """Plant the feet into a copy of the action, or play the copy that is there already.

    That copy is planted again if it was with other legs, or with other values of the ``chosen`` settings; where it goes
    by names that bones had before, a new one is made.
    """
    if state.is_on(ob):
        raise Refused(f"{state.playing(ob).name} is planted already")
    action = next(map(state.actions.get, state.objects[ob].waiting), None)
    if action is None or _goes_by_old_names(state, ob, action):
        stored, own = (action.settings, action.own) if action is not None else ({}, None)
        return Result("", [], plant=Plant(state.wanted(stored, chosen), outdated=own))
    back = back_on(state, ob)
    unsure = any(len(_waiting_with(state, goal, action)) > 1 for goal in state.objects[ob].goals)  # of older files
    wanted = state.wanted(action.settings, chosen)
    other_legs = action.legs not in ("", state.objects[ob].legs)
    if wanted == action.settings and not (other_legs or unsure):
        return back
    notes = ("The legs have changed since: planted again",) if other_legs else ()
    return back._replace(notes=notes, plant=Plant(wanted, again=True))


def back_on(state: State, ob, planted=None) -> Result:
    """Play the planted action that waits, or the one named, as it is."""
    planted = state.objects[ob].waiting[0] if planted is None else planted
    obj, action = state.objects[ob], state.actions[planted]
    messages: list[str] = []
    writes: list = []
    for goal in obj.goals:
        waiting = _waiting_with(state, goal, action)
        if waiting:
            back = back_on(state, goal, waiting[0])
            messages, writes = messages + back.messages, [*writes, *back.writes]
        elif not state.is_on(goal):
            name = state.objects[goal].name
            messages.append(f"{name} plays another action than the one that was planted: press Update")
    if obj.digest != action.source_digest:
        messages.append(f"{original_name(state, obj, obj.plays)} has changed since it was planted: press Update")
    writes += [Play(ob, action.own, on=True), pointing(state, ob, planted, obj.plays.action)]
    writes.append(Set(planted, {"skelkin.source_changed": bool(messages)}))
    return Result(action.summary, messages, writes=tuple(writes))


def off(state: State, ob) -> Result:
    """Play the original again, with every value that only the planted action animated as it was."""
    obj, planted = state.objects[ob], state.playing(ob)
    source = planted.original
    if source.action is None and not planted.over_strips:
        raise Refused(f"The original of {planted.name} is gone: press Apply to keep the planted action")
    if planted.slot_is_gone:
        name = state.actions[source.action].name
        raise Refused(f"The slot of {name} that was planted is gone: press Apply to keep the planted action")
    writes = [write for goal in obj.goals if state.is_on(goal) for write in off(state, goal).writes]
    values = values_back(obj.record, obj.bones, obj.kept, state.curves[obj.plays], state.curves[source])
    use = obj.record.use if obj.record is not None else None
    writes += [Play(ob, source, use=use, values=values), Set(ob, {"skelkin_kept_pose": None})]
    if not _others_hold(state, ob):
        writes.append(Set(obj.plays.action, {"skelkin.kept": None}))
    writes.append(pointing(state, ob, obj.plays.action, source.action))
    messages = list(obj.not_renamed)
    if not messages and (lost := _lost(state, obj, source)):
        name = state.actions[source.action].name
        messages.append(f"{name} animates {', '.join(lost)}, which are gone: undo, or remove these curves")
    return Result(f"Leg IK off: {original_name(state, obj, source)} plays again", messages, writes=tuple(writes))


def update(state: State, ob, chosen: dict) -> Result:
    """Plant the feet again from the original; touch-ups and other keys stay."""
    return Result("", [], plant=Plant(state.wanted(state.playing(ob).settings, chosen), again=True))


def find_contacts_again(state: State, ob) -> Result:
    """Discard edits of contacts, find the contacts again and plant; dragged feet and touch-ups stay."""
    again = update(state, ob, {})
    return again._replace(plant=again.plant._replace(find_contacts_again=True))


def discard_touch_ups(state: State, ob) -> Result:
    """Plant the feet again without touch-ups by hand."""
    again = update(state, ob, {})
    return again._replace(plant=again.plant._replace(keeps_touch_ups=False))


def check_again(state: State, ob) -> None:
    """Refuse a planted action that cannot be planted again."""
    plays, planted = state.objects[ob].plays, state.playing(ob)
    if (planted.original.action is None and not planted.over_strips) or planted.slot_is_gone:
        raise Refused(f"The original of {planted.name} is gone: press Apply to keep the planted action")
    if planted.own != plays:
        name = state.objects[ob].name
        raise Refused(f"{name} plays another slot of {planted.name} than the planted one: choose that one first")


def apply(state: State, ob) -> Result:
    """Make this an ordinary action with the original's name."""
    obj, planted = state.objects[ob], state.playing(ob)
    goals = [goal for goal in obj.goals if state.is_on(goal)]
    writes = [write for goal in goals for write in apply(state, goal).writes]
    action, name = obj.plays.action, planted.name
    if _others_hold(state, ob):
        name = _free_name(state, name)
        action = Copy(obj.plays, name)
        writes.append(Play(ob, action))
    with_goals = {state.objects[goal].plays.action for goal in goals}
    writes += [Set(action, {"use_fake_user": planted.was_fake_user}), Clear(action)]
    held = tuple(each for each in obj.held if each not in with_goals)
    writes += [Set(ob, {"skelkin_kept_pose": None}), Point(ob, held=held)]
    writes += _released(state, planted.original.action, writes)
    original = state.actions.get(planted.original.action)
    if original is not None and original.is_local and action == obj.plays.action:
        name, former = re.sub(rf"{_ORIGINAL}(\.\d+)?$", "", original.name), original.name
        if name == former:
            former = _free_name(state, name + _ORIGINAL)
        else:  # it was called so when another planted action of it was applied
            name = _free_name(state, name)
        writes.append(Set(planted.original.action, {"name": former, "skelkin.is_replaced": True}))
        writes.append(Set(action, {"name": name}))
    return Result(f"{name} is an ordinary action now", [], writes=tuple(writes))


def remove(state: State, ob) -> Result:
    """Play the original again and remove all that Leg IK added."""
    objects = [ob, *state.objects[ob].goals]
    switched = objects[:1] if state.is_on(ob) else [goal for goal in objects[1:] if state.is_on(goal)]
    writes = [write for each in switched for write in off(state, each).writes]
    points = {each: Point(each, None, state.objects[each].planted, state.objects[each].held) for each in objects}
    points |= {write.ob: write for write in writes if isinstance(write, Point)}
    known = {each: [a for a in (point.planted, *point.held) if _is_planted(state, a)] for each, point in points.items()}
    planted = list(dict.fromkeys(action for each in objects for action in known[each]))
    own = ("kept_pose", "held", "legs", "own_settings", *state.preferred)
    writes += [w for each in objects for w in (Point(each), Set(each, {f"skelkin_{name}": None for name in own}))]
    writes += [Remove(action) for action in planted if _unused_but_by(state, action, objects)]
    for source in dict.fromkeys(state.actions[action].original.action for action in planted):
        writes += _released(state, source, writes)
    names = dict.fromkeys(state.actions[action].name for action in known[ob])
    return Result(f"Removed {', '.join(names) or 'Leg IK'}", [], writes=tuple(writes))


def clean_up(state: State, ob=None) -> Result:
    """Remove planted actions of armatures that are gone."""
    used = {a for ob in state.objects.values() for a in (ob.plays.action, ob.planted, *ob.held, *ob.in_strips)}
    unused = [a for a, each in state.actions.items() if each.is_planted and each.is_local and not each.is_newer]
    writes: list = [Remove(action) for action in unused if action not in used]
    names = [state.actions[write.action].name for write in writes]
    released = [(each.name, _released(state, action, writes)) for action, each in state.actions.items()]
    let_go = [name for name, some in released if some]
    if not names and not let_go:
        raise Refused("No planted action is left over: there is nothing to clean up")
    done = [f"Removed {', '.join(names)}"] if names else []
    done += [f"took the fake user off {', '.join(let_go)}"] if let_go else []
    return Result("; ".join(done), [], writes=(*writes, *(write for _, some in released for write in some)))


def hold(state: State, ob, planted, source, with_goals: tuple = ()) -> list:
    """Keep a planted action and its original through save and reload; the object finds both, and those of its goals."""
    point, action = pointing(state, ob, planted, source), state.actions.get(source)
    writes = [Set(planted, {"skelkin.was_fake_user": False, "use_fake_user": True})]
    if action is not None and action.is_local and not (action.holds_fake_user or action.has_fake_user):
        writes.append(Set(source, {"skelkin.holds_fake_user": True, "use_fake_user": True}))
    return [*writes, point._replace(held=(*point.held, *with_goals))]


def retire(state: State, ob, former, new, was_edited: bool) -> Result:
    """Keep a former planted action if it was edited or is used elsewhere, else remove it; the new one gets its name.

    The armature points to it no longer. Where there is no new one, nothing else is done.
    """
    obj, action, messages = state.objects[ob], state.actions[former], []
    point = Point(ob, obj.source, obj.planted, tuple(each for each in obj.held if each != former))
    if new is None:
        return Result("", [], writes=(point,))
    write: Set | Remove = Remove(former)
    if was_edited:
        write = Set(former, {"name": _free_name(state, f"{action.name} edited")})
        messages.append(f"The edited leg keys are kept in {write.values['name']}")
    elif action.users > obj.held.count(former):
        write = Set(former, {"name": _free_name(state, f"{action.name} former")})
    return Result("", messages, writes=(point, write, Set(new, {"name": action.name})))


def pointing(state: State, ob, planted, source) -> Point:
    """Point to the pair that the switch swaps; planted actions of other originals, or for others, stay known."""
    obj = state.objects[ob]
    held = tuple(each for each in obj.held if each != planted)
    former = state.actions.get(obj.planted)
    pair = source, state.actions[planted].goes_with
    if former and obj.planted not in (planted, *held) and (former.original.action, former.goes_with) != pair:
        held += (obj.planted,)
    return Point(ob, source, planted, held)


def values_back(record: Record | None, bones: frozenset[str], kept: dict, planted: dict, source: dict) -> tuple:
    """Return path, index and value of before of every property that only the planted action animates, by its curves."""
    if record is not None and record.use is not None:
        source = {}  # above strips the original may have left to them what the planted action does on every frame
    values = []
    for path, index in (key for key in planted if not source.get(key, False)):
        if not is_transform(path, bones):
            values += [(path, index, kept[path, index])] if (path, index) in kept else []
        elif record is not None:
            bone, channel = bone_channel(path)
            old = record.value(bone, channel or path)
            values += [(path, index, old[index])] if old is not None else []
    return tuple(values)


def is_transform(path: str, bones: frozenset[str]) -> bool:
    """Whether a data path is that of a transform of the object, or of one of these bones of it."""
    bone, channel = bone_channel(path)
    return path in PLACES or (channel in PLACES and bone in bones)


def original_name(state: State, obj: ObjectState, source: Played) -> str:
    """Return the name of an original."""
    return state.actions[source.action].name if source.action is not None else f"NLA of {obj.name}"


def _goes_by_old_names(state: State, ob, action: Action) -> bool:
    """Whether bones were renamed while the planted action waited: Blender tells the action that is assigned alone."""
    obj = state.objects[ob]
    known = {path for path, _ in state.curves[obj.plays]}
    paths = {path for path, _ in state.curves[action.own]} - known
    return any(name and name not in obj.bones for name, _ in map(bone_channel, paths))


def _waiting_with(state: State, goal, action: Action) -> list:
    """Return the planted actions of an object that go with one of its armature, and with what it plays now."""
    return [each for each in state.objects[goal].waiting if state.actions[each].goes_with == action.pair]


def _lost(state: State, obj: ObjectState, source: Played) -> list[str]:
    """Return bones that the original animates and that are no longer there, but were when it was switched on."""
    gone = set(obj.record.bones).difference(obj.bones) if obj.record is not None else set()
    return sorted(gone & {bone_channel(path)[0] for path, _ in state.curves[source]}) if gone else []


def _others_hold(state: State, ob) -> bool:
    """Whether another object plays the planted action or would switch back on to it: a duplicate of this one."""
    action = state.objects[ob].plays.action
    return any(action in (other.planted, other.plays.action) for each, other in state.objects.items() if each != ob)


def _is_planted(state: State, action) -> bool:
    return action in state.actions and state.actions[action].is_planted


def _unused_but_by(state: State, action, obs: list) -> bool:
    """Whether none but these objects use an action."""
    known = map(state.objects.get, obs)
    uses = [use for each in known for use in (each.plays.action, each.planted, *each.held)]
    return state.actions[action].users <= uses.count(action)


def _released(state: State, source, writes: list) -> list:
    """Take the hold off an original that no planted action needs once this is written."""
    action = state.actions.get(source)
    if action is None or not (action.is_local and action.holds_fake_user):
        return []
    gone = [write.action for write in writes if isinstance(write, (Clear, Remove))]
    if any(a not in gone and each.is_planted and each.original.action == source for a, each in state.actions.items()):
        return []
    return [Set(source, {"use_fake_user": False}), Clear(source)]


def _free_name(state: State, name: str) -> str:
    """Return a name that no action has: this one, else with the first number that is free."""
    stem, number, free = re.sub(r"\.\d+$", "", name), 0, name
    while free in state.names:
        number += 1
        free = f"{stem}.{number:03d}"
    return free
