# SPDX-License-Identifier: MIT
"""A packed file of arrays with other arrays in the place of some."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def repacked(data: bytes, new: Mapping[str, NDArray[Any]]) -> bytes:
    """Return a packed `.npz` file with other arrays in the place of some.

    Parameters
    ----------
    data : bytes
        The file.
    new : mapping of str to array
        What takes the place of the arrays of these names.

    Returns
    -------
    bytes
        The same members in the same order, packed as they were; what stays has the bytes it had.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.savez(file, a=np.zeros(2), b=np.ones(2))
    >>> np.load(io.BytesIO(repacked(file.getvalue(), {"a": np.full(2, 5.0)})))["a"].tolist()
    [5.0, 5.0]
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", allowZip64=True) as packed:
        for info in old.infolist():
            name = info.filename.removesuffix(".npy")
            contents = old.read(info)
            if name in new:
                stream = io.BytesIO()
                np.lib.format.write_array(stream, new[name], allow_pickle=False)
                contents = stream.getvalue()
            again = zipfile.ZipInfo(info.filename, info.date_time)
            again.compress_type, again.external_attr = info.compress_type, info.external_attr
            packed.writestr(again, contents)
    return out.getvalue()
