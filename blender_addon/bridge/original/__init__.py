# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object plays without the switch, strips of the NLA included, and how it comes back bit for bit."""
