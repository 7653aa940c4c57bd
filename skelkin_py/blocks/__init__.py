# SPDX-License-Identifier: MIT
"""Arrays that do not fit into memory: from `.npy` files to `.npy` files, a block of frames at a time."""

from .file_report import FileReport as FileReport
from .plant_file import PlantedFile as PlantedFile
from .plant_file import plant_file as plant_file
from .skin_file import skin_file as skin_file
