# SPDX-License-Identifier: MIT
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

VERSION: str
SOURCE_HASH: str
COMPILER: str
SANITIZE: str

class SkeletonBase:
    def __new__(
        cls, parents: npt.ArrayLike, rest_local: npt.ArrayLike, inverse_bind: npt.ArrayLike | None = ..., /
    ) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def parents(self) -> npt.NDArray[np.int32]: ...
    @property
    def rest_local(self) -> npt.NDArray[np.float64]: ...
    @property
    def rest_global(self) -> npt.NDArray[np.float64]: ...
    @property
    def inverse_bind(self) -> npt.NDArray[np.float64]: ...

class SkinWeightsBase:
    def __new__(
        cls, num_joints: int, indices: npt.ArrayLike, weights: npt.ArrayLike, indptr: npt.ArrayLike | None = ..., /
    ) -> Self: ...
    @property
    def num_joints(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...

def isa() -> str: ...
def forward_kinematics(
    skeleton: SkeletonBase, local: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def forward_kinematics_trs(
    skeleton: SkeletonBase,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None,
    scales: npt.ArrayLike | None,
    out: npt.NDArray[Any] | None,
    /,
) -> npt.NDArray[Any]: ...
def skinning_matrices(
    skeleton: SkeletonBase, global_: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
def skin_points(
    points: npt.ArrayLike, weights: SkinWeightsBase, matrices: npt.ArrayLike, out: npt.NDArray[Any] | None, /
) -> npt.NDArray[Any]: ...
