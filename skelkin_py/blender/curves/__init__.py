# SPDX-License-Identifier: MIT
"""F-curves: keys as arrays and their values, and from values to channels of bones."""
