# SPDX-License-Identifier: MIT
"""Legs of a skeleton: the table of names, the rules that read it, and the search by structure."""

from .by_hand import completed_legs as completed_legs, why_no_legs as why_no_legs
from .finder import find_legs as find_legs
from .leg import Leg as Leg, LegList as LegList, leg_names as leg_names, listed_legs as listed_legs
from .sure import SURE_ENOUGH as SURE_ENOUGH, sure_legs as sure_legs, too_unsure as too_unsure
