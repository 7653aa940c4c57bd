# SPDX-License-Identifier: MIT
"""The options of planting: one list of names, defaults, bounds and words for every way in."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.motion.plant_options import CONTACT_MODES, REACHES, PlantKeywords

FIELDS = dataclasses.fields(sk.PlantOptions)
BOUNDED = [field for field in FIELDS if "bounds" in field.metadata]
WAYS_IN = [sk.plant_feet, sk.plant_locals, sk.Clip.plant_feet]
ADDON = Path(__file__).resolve().parents[3] / "blender_addon" / "properties.py"


@pytest.fixture(scope="module")
def clip() -> sk.Clip:
    return sk.example("biped").clip[:120]


def test_the_keywords_of_type_checkers_are_the_fields() -> None:
    listed = {name: getattr(kind, "__forward_arg__", kind) for name, kind in PlantKeywords.__annotations__.items()}
    assert listed == {field.name: field.type for field in FIELDS}


def test_the_documentation_tells_the_default_of_every_field() -> None:
    section = inspect.getdoc(sk.PlantOptions).split("Parameters\n")[1].split("Raises\n")[0]
    told = dict(re.findall(r"^(\w+) : (.+)$", section, flags=re.M))
    assert list(told) == [field.name for field in FIELDS]
    for field in FIELDS:
        if told[field.name].endswith("optional"):
            assert field.default is None, field.name
        else:
            assert ast.literal_eval(told[field.name].rpartition("default ")[2]) == field.default, field.name


@pytest.mark.parametrize("function", WAYS_IN, ids=lambda function: function.__qualname__)
def test_every_way_in_shows_every_option(function) -> None:
    shown = inspect.signature(function).parameters
    assert {name: shown[name].default for name in (f.name for f in FIELDS)} == {f.name: f.default for f in FIELDS}
    told = inspect.getdoc(function)
    assert all(f"\n{field.name} : " in told for field in FIELDS)
    assert "**changes" not in told


def test_options_may_be_given_at_once_by_keyword_and_mixed(clip) -> None:
    by_name = clip.plant_feet(ground=0.01, blend=0.3, toe_bend=20.0, reach="lower_pelvis").clip
    options = sk.PlantOptions(ground=0.01, blend=0.1, toe_bend=20.0, reach="lower_pelvis")
    mixed = clip.plant_feet(options=options, blend=0.3)
    assert mixed.clip == by_name
    assert mixed.clip != clip.plant_feet(options=options).clip
    assert options.blend == 0.1
    local = sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps, options=options, blend=0.3).local
    np.testing.assert_allclose(local, by_name.local_matrices(), atol=1e-12)


@pytest.mark.parametrize("function", WAYS_IN[:2] + WAYS_IN[3:], ids=lambda function: function.__qualname__)
def test_an_option_that_there_is_not_is_named(function, clip, tmp_path) -> None:
    given = {sk.plant_locals: (clip.skeleton, clip.local_matrices())}.get(function, (clip,))
    rate = {"fps": 30.0} if function is sk.plant_locals else {}
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) has no option 'soles': there are ground, legs, "):
        function(*given, **rate, soles=0.1)
    with pytest.raises(TypeError, match=r"^options is a dict: a PlantOptions is needed$"):
        function(*given, **rate, options={})


@pytest.mark.parametrize("field", BOUNDED, ids=lambda field: field.name)
def test_bounds_are_kept_by_the_library(field) -> None:
    least, most = field.metadata["bounds"]
    wrong = [least - 1.0, np.nan, *([2.0 * most, np.inf] if np.isfinite(most) else [least])]
    for value in wrong:
        with pytest.raises(ValueError, match=f"^{field.name} is "):
            sk.PlantOptions(**{field.name: value})
    for value in (least if np.isfinite(most) else 1e-6, min(most, 1e80)):
        assert getattr(sk.PlantOptions(**{field.name: value}), field.name) == value


@pytest.mark.parametrize("field", BOUNDED, ids=lambda field: field.name)
def test_bounds_are_kept_by_the_shell(field, clip, tmp_path, capsys) -> None:
    clip.save(tmp_path / "walk.bvh")
    name = {"metres_per_unit": "unit"}.get(field.name, field.name.replace("_", "-"))
    for value in {-1.0, field.metadata["bounds"][0] - 1.0}:
        with pytest.raises(SystemExit, match="2"):
            main(["plant", str(tmp_path / "walk.bvh"), "-o", str(tmp_path / "x.bvh"), f"--{name}={value}"])
        assert f"--{name}" in capsys.readouterr().err


def test_what_the_add_on_offers_is_what_the_library_takes() -> None:
    parts = ast.parse(ADDON.read_text(encoding="utf-8")).body
    (settings,) = (part for part in parts if isinstance(part, ast.ClassDef) and part.name == "PlantSettings")
    for name, taken in (("contacts", CONTACT_MODES), ("reach", REACHES)):
        (call,) = (n.annotation for n in settings.body if isinstance(n, ast.AnnAssign) and n.target.id == name)
        words = {keyword.arg: keyword.value for keyword in call.keywords}
        offered = [item.elts[0].value.lower() for item in words["items"].elts]
        # Bones of an armature keep their lengths.
        assert set(offered) == set(taken) - {"stretch"}
        assert words["default"].value.lower() == getattr(sk.PlantOptions, name)


def test_options_show_what_differs_from_the_defaults() -> None:
    assert repr(sk.PlantOptions()) == "PlantOptions()"
    assert repr(sk.PlantOptions(up="Z", align=0)) == "PlantOptions(up='Z', align=0.0)"
    assert repr(sk.PlantOptions(ground_velocity=[1, 0, 0])) == "PlantOptions(ground_velocity=[1., 0., 0.])"
    assert repr(sk.PlantOptions(contacts=[[(0, 3)] * 1000, []])).count("(0, 3)") == 0


def test_options_do_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        sk.PlantOptions().blend = 1.0
