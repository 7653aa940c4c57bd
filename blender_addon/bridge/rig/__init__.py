# SPDX-License-Identifier: GPL-3.0-or-later
"""How legs of rigs get their keys: by foot controls, by bones released from constraints, by their own bones."""
