# SPDX-License-Identifier: MIT
"""Foot planting: contacts, stance, paths of body and ankles, and the report of what changed.

Names in all modules: F frames and N of them, S joints of a `subset`, K legs, P points of a sole, J joints of a
skeleton. `up` is a unit vector, `fps` frames per second, `length` the leg length; a span is (first, last), both frames
included; `contacts` and `rises` are lists per leg; `track` is a leg's motion and `model` its sole; `local` holds
matrices (F, S, 4, 4), `foot` the linear parts (F, 3, 3) of a foot's global ones. Lengths are in the clip's units unless
stated otherwise.
"""

from .against import measure_cost as measure_cost
from .cost import LegCost as LegCost, PlantCost as PlantCost
from .metrics import ContactMeasure as ContactMeasure, FootCurves as FootCurves, LiteratureFigures as LiteratureFigures
from .plant import (
    Planted as Planted,
    PlantedLocals as PlantedLocals,
    plant_feet as plant_feet,
    plant_locals as plant_locals,
)
from .report.legs import Contact as Contact, LegReport as LegReport, Violation as Violation
from .report.report import PlantReport as PlantReport
from .viewer_rows import ContactDemand as ContactDemand, ViewerRow as ViewerRow
