# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a planted action: kept with it, tied to its pose markers, edited, given to planting."""
