# SPDX-License-Identifier: MIT
"""What every part stands on: arguments, errors, results, reprs, values, files of numpy, threads, the build."""
