# SPDX-License-Identifier: MIT
"""What planting did: figures, in words, as rows and dictionaries, and bounds for gates."""
