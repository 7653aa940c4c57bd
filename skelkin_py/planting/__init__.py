# SPDX-License-Identifier: MIT
"""Feet that stay on the ground: contacts, stance, blends, pelvis, and the report of what changed."""

from .plant import Planted as Planted
from .plant import PlantedLocals as PlantedLocals
from .plant import plant_feet as plant_feet
from .plant import plant_locals as plant_locals
from .report import Report as Report
