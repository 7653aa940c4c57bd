# SPDX-License-Identifier: MIT
"""Feet that stay on the ground: contacts, stance, paths of body and ankles, and the report of what changed."""

from .leg_report import Contact as Contact
from .leg_report import LegReport as LegReport
from .literature import LiteratureFigures as LiteratureFigures
from .metrics import ContactMeasure as ContactMeasure
from .metrics import FootCurves as FootCurves
from .plant import Planted as Planted
from .plant import PlantedLocals as PlantedLocals
from .plant import plant_feet as plant_feet
from .plant import plant_locals as plant_locals
from .report import PlantReport as PlantReport
from .violations import Violation as Violation
