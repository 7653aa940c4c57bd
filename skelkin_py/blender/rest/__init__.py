# SPDX-License-Identifier: MIT
"""What a bone is at rest: the arrays of an armature, the options of bendy bones, envelopes; frames from rolls."""
