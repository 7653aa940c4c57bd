# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways in which legs of rigs get their keys: foot controls, bones that are let go of, their own bones."""
