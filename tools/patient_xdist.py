# SPDX-License-Identifier: MIT
"""A plugin of pytest for tools/coverage.sh: workers are waited for, since gcov writes when a process ends.

After 10 s xdist would kill them; a worker that has run thousands of tests needs longer to be taken down.
"""

from __future__ import annotations

from xdist.workermanage import NodeManager

NodeManager.EXIT_TIMEOUT = None
