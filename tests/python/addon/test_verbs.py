# SPDX-License-Identifier: MIT
"""What the verbs of the switch plan, for files that are written down here: no Blender needed."""

from __future__ import annotations

import numpy as np
import pytest
from addon_modules import load

state = load("core.state")
verbs = load("core.verbs")
Action, Played, Record, State, ObjectState = state.Action, state.Played, state.Record, state.State, state.ObjectState
Clear, Play, Plant, Point, Remove, Set = verbs.Clear, verbs.Play, verbs.Plant, verbs.Point, verbs.Remove, verbs.Set

WALK, PLANTED = Played("walk", None), Played("walk planted", None)
LOCATION = 'pose.bones["hip"].location'


def planted_action(name="walk planted", source="walk", **more):
    """Return a planted action that one object plays and points to."""
    return Action(
        **{"name": name, "users": 2, "is_planted": True, "own": Played(name, None), "original": Played(source, None)}
        | {"has_fake_user": True, "source_digest": "d", "settings": {"reach": "SOFTEN"}, "summary": "Planted"}
        | more
    )


def original(name="walk", **more):
    return Action(**{"name": name, "users": 2, "has_fake_user": True, "holds_fake_user": True} | more)


def file(plays, things=(), actions=(), curves=(), **more):
    """Return a file with an armature that plays this, and points to its planted action."""
    waiting = ("walk planted",) if plays == WALK else ()
    armature = {"source": "walk", "planted": "walk planted", "waiting": waiting, "digest": "d"}
    armature |= {"bones": frozenset({"hip"}), **more}
    known = {"walk": original(), "walk planted": planted_action(), **dict(actions)}
    return State(
        {"rig": ObjectState("rig", plays, **armature), **dict(things)},
        known,
        frozenset(action.name for action in known.values()),
        {WALK: {(LOCATION, 0): True}, PLANTED: {(LOCATION, 0): True}, **dict(curves)},
        preferred={"reach": "SOFTEN"},
    )


def of_kind(result, kind):
    return [write for write in result.writes if isinstance(write, kind)]


def test_off_gives_back_what_the_planted_action_alone_animated():
    values = np.zeros((2, state.NUM_TRANSFORM_CHANNELS), np.float32)
    values[1, :3] = 1.0, 2.0, 3.0
    planted = {(LOCATION, 0): True, (LOCATION, 1): True, ('["ik"]', 0): True, ('["new"]', 0): True}
    planted['pose.bones["gone"].location', 0] = True
    curves = {WALK: {(LOCATION, 0): True, (LOCATION, 1): False}, PLANTED: planted}
    record = Record(["hip"], values, None)
    result = verbs.off(file(PLANTED, curves=curves, record=record, kept={('["ik"]', 0): 0.5}), "rig")
    (play,) = of_kind(result, Play)
    assert play == Play("rig", WALK, values=((LOCATION, 1, 2.0), ('["ik"]', 0, 0.5)))
    assert result.line == "Leg IK off: walk plays again"


def test_off_keeps_what_is_recorded_on_an_action_that_a_duplicate_plays_too():
    dropped = Set("walk planted", {"skelkin.kept": None})
    assert dropped in verbs.off(file(PLANTED), "rig").writes
    duplicate = ObjectState("rig.001", PLANTED)
    assert dropped not in verbs.off(file(PLANTED, {"rig.001": duplicate}), "rig").writes


def test_off_is_refused_where_the_original_is_gone():
    gone = {"walk planted": planted_action(source=None)}
    with pytest.raises(state.Refused, match="The original of walk planted is gone: press Apply"):
        verbs.off(file(PLANTED, actions=gone), "rig")


def with_goal():
    """Return a file whose armature and goal play planted actions that go together."""
    goal = ObjectState("goal", Played("path planted", None), "path", "path planted", kept={})
    actions = {"path": original("path"), "path planted": planted_action("path planted", "path", users=3, goes_with="1")}
    actions["walk planted"] = planted_action(pair="1")
    curves = {Played("path planted", None): {}, Played("path", None): {}}
    return file(PLANTED, {"goal": goal}, actions, curves, goals=("goal",), held=("path planted",))


def test_goals_go_off_with_their_armature():
    plays = of_kind(verbs.off(with_goal(), "rig"), Play)
    assert [(play.ob, play.plays.action) for play in plays] == [("goal", "path"), ("rig", "walk")]


def test_remove_leaves_nothing_of_armature_and_goal():
    result = verbs.remove(with_goal(), "rig")
    assert {write.action for write in of_kind(result, Remove)} == {"walk planted", "path planted"}
    assert {write.action for write in of_kind(result, Clear)} == {"walk", "path"}
    assert of_kind(result, Point)[-2:] == [Point("rig"), Point("goal")]


def test_remove_leaves_what_others_use_and_its_original_stays_held():
    used = {"walk planted": planted_action(users=3)}
    result = verbs.remove(file(PLANTED, actions=used), "rig")
    assert of_kind(result, Remove) + of_kind(result, Clear) == []


def test_apply_lets_the_original_go():
    result = verbs.apply(file(PLANTED), "rig")
    assert of_kind(result, Clear) == [Clear("walk planted"), Clear("walk")]
    assert Set("walk", {"use_fake_user": False}) in result.writes
    assert of_kind(result, Point) == [Point("rig")]


def test_apply_gives_the_planted_action_the_name_of_the_original():
    result = verbs.apply(file(PLANTED), "rig")
    assert result.writes[-2:] == (
        Set("walk", {"name": "walk original", "skelkin.is_replaced": True}),
        Set("walk planted", {"name": "walk"}),
    )
    assert result.line == "walk is an ordinary action now"


def test_apply_finds_another_name_where_the_original_has_lost_its_own():
    lost = {"walk": original("walk")._replace(name="walk original.001")}
    result = verbs.apply(file(PLANTED, actions=lost)._replace(names=frozenset(["walk"])), "rig")
    assert result.writes[-2:] == (
        Set("walk", {"name": "walk original.001", "skelkin.is_replaced": True}),
        Set("walk planted", {"name": "walk.001"}),
    )


def test_apply_leaves_the_names_of_a_linked_original():
    linked = {"walk": original("walk")._replace(is_local=False)}
    result = verbs.apply(file(PLANTED, actions=linked), "rig")
    assert not [write for write in of_kind(result, Set) if "name" in write.values]
    assert result.line == "walk planted is an ordinary action now"


def test_apply_leaves_the_planted_action_to_a_duplicate():
    result = verbs.apply(file(PLANTED, {"rig.001": ObjectState("rig.001", PLANTED)}), "rig")
    (play,) = of_kind(result, Play)
    assert play.plays == verbs.Copy(PLANTED, "walk planted.001")
    assert of_kind(result, Clear) == [Clear(play.plays)]


def test_clean_up_removes_what_nobody_plays_holds_or_has_in_a_strip():
    names = ("left", "in a strip", "linked", "newer")
    actions = {name: planted_action(name, "run") for name in names} | {"run": original("run")}
    actions["linked"] = actions["linked"]._replace(is_local=False)
    actions["newer"] = actions["newer"]._replace(is_newer=True)
    strips = {"box": ObjectState("box", Played(None, None), in_strips=("in a strip",))}
    result = verbs.clean_up(file(WALK, strips, actions))
    assert result.writes == (Remove("left"),)
    with pytest.raises(state.Refused, match="nothing to clean up"):
        verbs.clean_up(file(WALK))


def test_on_plants_where_nothing_waits():
    result = verbs.on(file(Played("run", None), waiting=()), "rig", {"reach": "LOWER_PELVIS"})
    assert (result.writes, result.plant) == ((), Plant({"reach": "LOWER_PELVIS"}))


def test_on_plays_what_waits_and_plants_it_again_with_other_settings():
    same = verbs.on(file(WALK), "rig", {})
    assert same.plant is None
    assert of_kind(same, Play) == [Play("rig", PLANTED, on=True)]
    other = verbs.on(file(WALK), "rig", {"reach": "LOWER_PELVIS"})
    assert other.writes == same.writes
    assert other.plant == Plant({"reach": "LOWER_PELVIS"}, again=True)


def test_on_says_that_the_original_has_changed():
    result = verbs.on(file(WALK, digest="other"), "rig", {})
    assert result.messages == ["walk has changed since it was planted: press Update"]
    assert Set("walk planted", {"skelkin.source_changed": True}) in result.writes


def test_on_plants_a_new_copy_where_bones_were_renamed_while_one_waited():
    curves = {PLANTED: {('pose.bones["thigh"].rotation_euler', 0): True}}
    result = verbs.on(file(WALK, curves=curves), "rig", {})
    assert (result.writes, result.plant) == ((), Plant({"reach": "SOFTEN"}, outdated=PLANTED))


@pytest.mark.parametrize(
    ("users", "was_edited", "expected"),
    [
        (0, False, Remove("old")),
        (1, False, Set("old", {"name": "walk planted former"})),
        (0, True, Set("old", {"name": "walk planted edited.001"})),
    ],
)
def test_a_former_planted_action_stays_where_it_was_edited_or_is_used(users, was_edited, expected):
    actions = {"old": planted_action(users=users), "edited": original("walk planted edited"), "new": original("new")}
    result = verbs.retire(file(PLANTED, actions=actions), "rig", "old", "new", was_edited)
    assert result.writes[1:] == (expected, Set("new", {"name": "walk planted"}))
    assert bool(result.messages) == was_edited
