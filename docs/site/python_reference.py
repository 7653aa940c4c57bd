# SPDX-License-Identifier: MIT
"""Pages of the Python reference, one per theme, from the docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import NamedTuple

import skelkin_py as sk


class Theme(NamedTuple):
    """A page: its title, what it is about, and the names that it tells of, of `module`."""

    title: str
    about: str
    names: str
    module: str = "skelkin_py"


# Every public name stands here once.
THEMES = {
    "skeleton_and_weights": Theme(
        "Skeleton and weights",
        "The hierarchy of joints and the weights of a skin. Both are checked once, when they are made.",
        "Skeleton sort_joints SkinWeights WeightsReport",
    ),
    "forward_kinematics": Theme(
        "Forward kinematics",
        "From what each joint does to where everything is, and back. "
        "See :doc:`kinematics </docs/kinematics>` for the ideas.",
        "forward_kinematics forward_kinematics_trs local_from_global skinning_matrices rest_relative RestRelative",
    ),
    "skinning": Theme(
        "Skinning",
        "Points, normals and tangents that follow the joints. See :doc:`skinning </docs/skinning>` for the ideas.",
        "skin_points skin_mesh skin_poses SkinnedMesh Mesh",
    ),
    "inverse_kinematics": Theme(
        "Inverse kinematics",
        "``solve_*`` works on positions, ``apply_*`` on the poses of a skeleton. "
        "See :doc:`inverse kinematics </docs/ik>` for the ideas.",
        "solve_two_bone TwoBone apply_two_bone AppliedTwoBone IKStatus solve_fabrik Fabrik apply_fabrik AppliedFabrik "
        "rotations_from_positions points_at align_to_ground roll_toe limit_slope "
        "JointLimits hinge Hinge swing_twist SwingTwist",
    ),
    "transforms": Theme(
        "Transforms",
        "Matrices, quaternions and changes of basis. Every function takes any leading dimensions.",
        "compose decompose invert invert_rigid invert_trs change_basis change_basis_points relative_transform "
        "quaternion_multiply quaternion_rotate quaternion_between quaternion_slerp quaternion_from_matrix "
        "quaternion_to_matrix quaternion_from_euler quaternion_to_euler quaternion_from_axis_angle "
        "quaternion_to_axis_angle quaternion_from_rotation_vector quaternion_to_rotation_vector "
        "quaternion_swing_twist SwingTwistParts",
    ),
    "motion": Theme(
        "Motion",
        "Clips, their files and the legs in them.",
        "load load_animations load_mesh save_animations Clip ClipFacts find_legs Leg LegList example Example "
        "FormatError FormatWarning",
    ),
    "planting": Theme(
        "Planting feet",
        "Feet that slide, float or sink, held on the ground. See :doc:`planting feet </docs/planting>` for the guide.",
        "plant_feet Planted plant_locals PlantedLocals PlantOptions PlantEditor FootTarget",
    ),
    "report": Theme(
        "The report",
        "What planting did, what it won and what it cost.",
        "PlantReport LegReport Contact ContactMeasure FootCurves Violation LiteratureFigures "
        "measure_cost PlantCost LegCost ViewerRow ContactDemand",
    ),
    "ground": Theme(
        "Ground to stand on",
        "A height, a function, a grid, a mesh, or anything that answers rays: "
        "see :ref:`grounds <docs/planting:grounds>`.",
        "HeightGrid MeshGround",
    ),
    "pictures": Theme(
        "Pictures",
        "The 3-D player, films and pictures; figures of a report are drawn by :meth:`skelkin_py.PlantReport.plot`.",
        "view jupyter",
    ),
    "view": Theme(
        "skelkin_py.view",
        "The player, in one HTML file, and films and pictures.",
        "show write_html Page write_film write_picture",
        "skelkin_py.view",
    ),
    "jupyter": Theme(
        "skelkin_py.view.jupyter",
        "The player in a notebook, with feet, knees and contacts that are dragged.",
        "edit PlantWidget",
        "skelkin_py.view.jupyter",
    ),
    "build": Theme(
        "This build",
        "Which kernels are in use, how many threads a call may take, and what an error of the installation looks like.",
        "isa build_info BuildInfo set_num_threads get_num_threads MissingExtraError __version__",
    ),
    "blender": Theme(
        "Blender",
        "What Blender computes, from arrays. See :doc:`what Blender computes </docs/blender>` for how to use it.",
        "blender",
    ),
    "blender_names": Theme("skelkin_py.blender", "All names of the module.", "", "skelkin_py.blender"),
}
BELOW = {"pictures": "view jupyter", "blender": "blender_names"}


def names_of(theme: Theme) -> list[str]:
    """Return the names on a page."""
    return theme.names.split() or list(sk.blender.__all__)


def entry(theme: Theme, name: str) -> str:
    """Return the directive that prints a docstring."""
    full = f"{theme.module}.{name}"
    value = getattr(__import__(theme.module, fromlist=[name]), name)
    if inspect.ismodule(value):
        return f".. py:module:: {full}\n\n{inspect.getdoc(value)}\n"
    if inspect.isclass(value):
        if any(each.__module__.startswith("traitlets") for each in value.__mro__):  # dozens of names, none of them ours
            return f".. autoclass:: {full}{_signature(value)}\n   :members:\n"
        builtin = "tuple, Exception, int, ValueError, ImportError"
        return f".. autoclass:: {full}\n   :members:\n   :inherited-members: {builtin}\n"
    if inspect.isroutine(value):
        return f".. autofunction:: {full}\n"
    return f".. py:data:: {full}\n\n   The version of the package, a text such as ``{value!r}``.\n"


def _signature(value: type) -> str:
    """Return what the constructor takes, without kinds, where a metaclass hides it."""
    _, *others = inspect.signature(value.__init__).parameters.values()
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in others]
    return str(inspect.Signature(plain))


def summary(theme: Theme) -> str:
    """Return the table of the names with the first sentence of each."""
    rows = []
    for name in names_of(theme):
        value = getattr(__import__(theme.module, fromlist=[name]), name)
        if inspect.isclass(value) or inspect.isroutine(value):
            rows.append(f"   ~{theme.module}.{name}")
    return ".. autosummary::\n   :nosignatures:\n\n" + "\n".join(rows) + "\n" if len(rows) > 1 else ""


def page(key: str) -> str:
    """Return the page of a theme."""
    theme = THEMES[key]
    parts = [f"{theme.title}\n{'=' * len(theme.title)}\n", theme.about, summary(theme)]
    parts += [entry(theme, name) for name in names_of(theme)]
    if key in BELOW:
        below = "\n".join(f"   {page}" for page in BELOW[key].split())
        parts.append(f".. toctree::\n\n{below}\n")
    return "\n\n".join(part for part in parts if part) + "\n"


def write(pages: Path) -> list[str]:
    """Write all pages, and return the names, without suffix, of those that are not below another."""
    for key in THEMES:
        (pages / f"{key}.rst").write_text(page(key), encoding="utf-8")
    return [key for key in THEMES if key not in " ".join(BELOW.values()).split()]
