# SPDX-License-Identifier: MIT
"""Arrays of where joints are, as text-to-motion and pose estimation write them."""
