# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's addresses, empty as long as there are none; ``bl_info`` states them too, where extensions have none."""

DOC_URL = ""
TRACKER_URL = ""
