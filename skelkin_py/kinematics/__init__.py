# SPDX-License-Identifier: MIT
"""Forward kinematics: poses of skeletons, local and global."""
