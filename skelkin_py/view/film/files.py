# SPDX-License-Identifier: MIT
"""Pictures written one after the other into a film: GIF by pillow, MP4 (H.264) by PyAV."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..._support.errors import MissingExtraError

Picture = NDArray[np.uint8]
# The file, the pictures, some of them for their colours, how many there are, and how many go by per second.
Writer = Callable[[BinaryIO, Iterator[Picture], Callable[[], list[Picture]], int, float], None]

_COLOURS = 127  # as many again make a file larger by a fifth, and nobody sees them


def film_writer(ending: str, function: str) -> Writer:
    """Return what writes films of an ending; `function` asks, for the message where a package is missing."""
    try:
        if ending == ".mp4":
            import av

            return functools.partial(_write_mp4, av)
        from PIL import Image

        return functools.partial(_write_gif, Image)
    except ImportError as error:
        raise MissingExtraError(function, "av" if ending == ".mp4" else "pillow", "film") from error


def _write_gif(
    image: Any,
    file: BinaryIO,
    pictures: Iterator[Picture],
    samples: Callable[[], list[Picture]],
    count: int,
    fps: float,
) -> None:
    """Write a GIF that goes on for ever."""
    together = image.fromarray(np.concatenate(samples()))
    palette = together.quantize(_COLOURS, method=image.Quantize.MEDIANCUT, dither=image.Dither.NONE)
    shown = (image.fromarray(p).quantize(palette=palette, dither=image.Dither.NONE) for p in pictures)
    ends = [round(100.0 * k / fps) for k in range(count + 1)]  # whole hundredths of a second, that drift nowhere
    stays = [10 * (after - before) for before, after in pairwise(ends)]
    first = next(shown)
    first.save(file, format="GIF", save_all=True, append_images=shown, duration=stays, loop=0, disposal=1)


def _write_mp4(
    av: Any,
    file: BinaryIO,
    pictures: Iterator[Picture],
    samples: Callable[[], list[Picture]],
    count: int,
    fps: float,
) -> None:
    """Write an MP4 that any player and browser shows."""
    with av.open(file, "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "20", "preset": "medium"}
        first = next(pictures)
        stream.height, stream.width = first.shape[:2]  # before the first is encoded: then it is settled
        for picture in itertools.chain([first], pictures):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
