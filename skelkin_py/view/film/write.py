# SPDX-License-Identifier: MIT
"""Films and pictures of clips, drawn by matplotlib without a window and written by pillow (GIF) and PyAV (MP4)."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import check_word, file_path, frame_range, listed, real_number
from ..._support.array_types import Floats
from ..._support.atomic import no_folders_left_for, replacing
from ..._support.errors import MissingExtraError
from ...motion.show_options import Arrange, NamedCamera
from ..arguments import ARRANGE, check_text
from ..stage import Stage, set_stage
from .camera import view_of
from .picture import Panel, Pictures
from .standing import Standing, standing_of

_SAMPLES = 5  # pictures whose colours are those of a GIF
MOST = 8192  # pixels
_LEAST = 64
_FASTEST = {".gif": 50.0, ".mp4": 240.0}  # a GIF counts hundredths of a second, and players need two of them
_USUAL = {".gif": 15.0, ".mp4": 30.0}
_STRIP = 5
Picture = NDArray[np.uint8]
# Arguments: the file, the pictures, a function that returns samples of their colours, their number, and their rate.
Writer = Callable[[BinaryIO, Iterator[Picture], Callable[[], list[Picture]], int, float], None]
_COLOURS = 127  # twice as many make the file larger by a fifth without a visible difference


def write_film(
    path: str | os.PathLike[str],
    clip: Any,
    *,
    compare: Any = None,
    mesh: Any = None,
    report: Any = None,
    ground: Any = None,
    title: str | None = None,
    frames: tuple[int, int] | None = None,
    fps: float | None = None,
    speed: float = 1.0,
    size: tuple[int, int] | None = None,
    arrange: Arrange = "side_by_side",
    labels: tuple[str, str] | None = None,
    camera: NamedCamera | tuple[float, float] = "corner",
    zoom: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a film of a clip: a GIF, or an MP4 (H.264).

    The camera follows the body. Standing feet are green, those of `compare` red. Marks on the ground show where they
    stood and how far they slid, thin lines their recent paths. The text below a foot says how far it slides, and how
    far it floats or sinks if that is over a centimetre.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.gif`` or ``.mp4`` file, replaced in one step when the film is complete. Missing folders are made.
    clip, compare, mesh, ground
        As in `show`. What is below the ground shows through it.
    report : PlantReport, optional
        The report of planting `compare`, with `clip` as the result: its contacts and slides are shown. Without a
        report, both clips are measured if legs are found, as ``skelkin check`` does.
    title : str, optional
        Text above everything.
    frames : (first, last), optional
        The range of frames, both included; default all.
    fps : float, optional
        Pictures per second, up to 50 in a GIF and 240 in an MP4; default the clip's, and at most 15 and 30.
        Poses between frames are interpolated.
    speed : float, default 1
        Speed of playback: 2 is twice as fast.
    size : (int, int), optional
        Width and height in pixels, 64 to 8192 and even for an MP4; default 800 × 420, or 480 × 420 for a single figure.
    arrange : "side_by_side" or "together", default "side_by_side"
        Where `compare` is shown: to the left of the clip, or behind it in light orange.
    labels : (str, str), optional
        Text above the clip and above `compare`; default how far their feet slide.
    camera : "corner", "front", "side", "top", "feet" or (azimuth, elevation), default "corner"
        The view. Azimuth in degrees from the front (0) towards the figure's right side (90), elevation in degrees (0 to
        90). "feet" is close, with the feet in the middle.
    zoom : float, default 1
        Magnification, 0.1 to 10.
    progress : callable, optional
        Called after each picture with the number of finished pictures and of all.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError, TypeError
        As in `show`; or frames outside the clip, another ending, or a size or rate out of bounds.
    MissingExtraError
        If matplotlib, pillow (GIF) or av (MP4) is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> clip = sk.example("biped").clip
    >>> sk.view.write_film("walk.gif", clip, frames=(0, 9), fps=5, size=(120, 120)).name
    'walk.gif'
    """
    ending = checked_ending(path, (".gif", ".mp4"))
    usual = (800, 420) if compare is not None and arrange == "side_by_side" else (480, 420)
    extent = checked_size(size, usual, even=ending == ".mp4")
    view = view_of(camera, zoom)
    stage, standing = _staged(clip, compare, mesh, report, ground, title)
    first, last = (0, clip.num_frames - 1) if frames is None else frame_range(frames, clip.num_frames)
    moments, rate = moments_of((first, last), clip.fps, ending, fps, speed)
    row = _panels(stage, standing, arrange, labels)
    write = film_writer(ending, "write_film()")
    pictures = Pictures(stage, standing, extent, [row], view, title or "", "write_film()")

    def drawn() -> Iterator[NDArray[np.uint8]]:
        for k, moment in enumerate(moments):
            yield pictures.at([float(moment)] * len(row))
            if progress is not None:
                progress(k + 1, len(moments))

    def samples() -> list[NDArray[np.uint8]]:
        chosen = np.linspace(first, last, min(len(moments), _SAMPLES))
        return [pictures.at([float(moment)] * len(row)) for moment in chosen]

    return _saved(path, lambda file: write(file, drawn(), samples, len(moments), rate))


def write_picture(
    path: str | os.PathLike[str],
    clip: Any,
    frames: int | Sequence[int] | None = None,
    *,
    compare: Any = None,
    mesh: Any = None,
    report: Any = None,
    ground: Any = None,
    title: str | None = None,
    size: tuple[int, int] | None = None,
    arrange: Arrange = "side_by_side",
    labels: tuple[str, str] | None = None,
    camera: NamedCamera | tuple[float, float] = "corner",
    zoom: float = 1.0,
) -> Path:
    """Write a picture of one frame of a clip, or a strip of several.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.png`` file, replaced in one step. Missing folders are made.
    clip : Clip
        The clip to draw.
    frames : int or sequence of int, optional
        The frames to draw, several in a row with `compare` above; default five, spread over the clip.
    compare, mesh, report, ground, title, arrange, labels, camera, zoom
        As in `write_film`.
    size : (int, int), optional
        Width and height in pixels, 64 to 8192; default 400 × 420 for each figure, 240 × 340 in a strip.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError, TypeError
        As in `write_film`.
    MissingExtraError
        If matplotlib or pillow is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.view.write_picture("walk.png", sk.example("biped").clip, 60, size=(120, 120)).name
    'walk.png'
    """
    checked_ending(path, (".png",))
    view = view_of(camera, zoom)
    stage, standing = _staged(clip, compare, mesh, report, ground, title)
    chosen = checked_frames(frames, clip.num_frames)
    one = _panels(stage, standing, arrange, labels)
    rows = [one] if len(chosen) == 1 else [_strip(panel, chosen, panel is one[-1]) for panel in one]
    usual = (400 * len(one), 420) if len(chosen) == 1 else (240 * len(chosen), 340 * len(one))
    extent = checked_size(size, (min(usual[0], MOST), usual[1]))
    pictures = Pictures(stage, standing, extent, rows, view, title or "", "write_picture()")
    picture = pictures.at(chosen * len(one))
    from matplotlib.image import imsave

    return _saved(path, lambda file: imsave(file, picture, format="png"))


def _saved(path: str | os.PathLike[str], write: Callable[[BinaryIO], None]) -> Path:
    """Write a file in one step, with the folders that it needs."""
    target = Path(path)
    with no_folders_left_for(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            write(file)
    return target


def _staged(clip: Any, compare: Any, mesh: Any, report: Any, ground: Any, title: Any) -> tuple[Stage, Standing | None]:
    """Return the content of the picture, and the measures of its standing feet."""
    check_text("title", title)
    stage = set_stage(clip, compare, mesh, report, ground)
    standing = standing_of(clip, compare, report, ground)
    if report is None and standing is not None:
        stage = set_stage(clip, compare, mesh, standing.report, ground)
    return stage, standing


def _panels(stage: Stage, standing: Standing | None, arrange: Any, labels: Any) -> list[Panel]:
    """Return the panels, side by side."""
    check_word("arrange", arrange, ARRANGE)
    compared = len(stage.clips) > 1
    if labels is None:
        labels = _labels(standing) if compared else ("", "")
    given = tuple(labels) if isinstance(labels, (tuple, list)) else ()
    if len(given) != 2 or not all(isinstance(text, str) for text in given):
        raise TypeError(f"labels is {labels!r}: two texts are needed, for clip and compare")
    if not compared:
        return [Panel((0,), given[0])]
    if arrange == "together":
        return [Panel((0, 1), " · ".join(filter(None, given[::-1])))]
    return [Panel((1,), given[1]), Panel((0,), given[0])]


def _strip(panel: Panel, frames: list[int], lowest: bool) -> list[Panel]:
    """Return a panel for each frame, with the caption in the middle and frame numbers below the lowest row."""
    middle = len(frames) // 2
    return [
        panel._replace(caption=panel.caption * (k == middle), below=f"frame {frame}" * lowest)
        for k, frame in enumerate(frames)
    ]


def _labels(standing: Standing | None) -> tuple[str, str]:
    """Return the default labels, after and before."""
    if standing is None or not standing.report.contacts:
        return "after", "before"
    after, before = standing.slides
    return f"after: {after:.1f} cm", f"before: feet slide {before:.1f} cm"


def checked_ending(path: Any, known: tuple[str, ...]) -> str:
    """Return the ending of a name in small letters, if it is one of those known."""
    name = file_path("path", path)
    ending = os.path.splitext(name)[1].lower()
    if ending not in known:
        raise ValueError(f"path is {name!r}: the name must end in {' or '.join(known)}")
    return ending


def checked_size(size: Any, usual: tuple[int, int], *, even: bool = False) -> tuple[int, int]:
    """Return width and height."""
    pair = usual if size is None else size
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"size is {size!r}: (width, height) is needed")
    for k, value in enumerate(pair):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"size[{k}] is {value!r}: a whole number of pixels is needed")
        if not _LEAST <= int(value) <= MOST:
            raise ValueError(f"size[{k}] is {int(value)}: {_LEAST} to {MOST} pixels are needed")
        if even and int(value) % 2:
            raise ValueError(f"size[{k}] is {int(value)}: an MP4 needs even numbers")
    return int(pair[0]), int(pair[1])


def checked_frames(frames: Any, count: int) -> list[int]:
    """Return the frames of a picture, some spread over the clip where none are given."""
    if frames is None:
        spread = np.linspace(0.06 * (count - 1), 0.94 * (count - 1), _STRIP).round().astype(int)
        return [int(f) for f in np.unique(spread)]
    alone = hasattr(frames, "__index__")
    given = [frames] if alone else listed("frames", frames, "a frame, or a sequence of frames, is needed")
    if not given:
        raise ValueError("frames is empty: at least one is needed")
    for k, frame in enumerate(given):
        name = "frames" if alone else f"frames[{k}]"
        if isinstance(frame, (bool, np.bool_)) or not hasattr(frame, "__index__"):
            raise TypeError(f"{name} is {frame!r}: a whole number is needed")
        if not 0 <= int(frame) < count:
            raise ValueError(f"{name} is {int(frame)}: the clip has frames 0 to {count - 1}")
    return [int(frame) for frame in given]


def moments_of(
    span: tuple[int, int], clip_fps: float, ending: str, fps: Any = None, speed: Any = 1.0
) -> tuple[Floats, float]:
    """Return the moments (P,) that the pictures of a film show, in frames of the clip, and their rate."""
    pace = real_number("speed", speed)
    rate = min(float(clip_fps), _USUAL[ending]) if fps is None else real_number("fps", fps)
    if not 0.0 < rate <= _FASTEST[ending]:
        raise ValueError(f"fps is {rate:g}: above 0 and up to {_FASTEST[ending]:g} is needed for {ending}")
    if not 0.0 < pace < np.inf:
        raise ValueError(f"speed is {pace:g}: a number above 0 is needed")
    first, last = span
    count = max(1, round((last - first + 1) / clip_fps / pace * rate))
    return np.minimum(first + np.arange(count) * (clip_fps * pace / rate), float(last)), rate


def film_writer(ending: str, function: str) -> Writer:
    """Return the writer of films of an ending; `function`: the caller, for the message about a missing package."""
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
    """Write a GIF that repeats for ever."""
    together = image.fromarray(np.concatenate(samples()))
    palette = together.quantize(_COLOURS, method=image.Quantize.MEDIANCUT, dither=image.Dither.NONE)
    shown = (image.fromarray(p).quantize(palette=palette, dither=image.Dither.NONE) for p in pictures)
    ends = [round(100.0 * k / fps) for k in range(count + 1)]  # rounded to hundredths of a second without drift
    stays = [10 * (after - before) for before, after in pairwise(ends)]
    first = next(shown)
    first.save(file, format="GIF", save_all=True, append_images=shown, duration=stays, loop=0, disposal=1)


def _write_mp4(
    av: Any, file: BinaryIO, pictures: Iterator[Picture], samples: Callable[[], list[Picture]], count: int, fps: float
) -> None:
    """Write an MP4 that any player and browser shows."""
    with av.open(file, "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "20", "preset": "medium"}
        first = next(pictures)
        stream.height, stream.width = first.shape[:2]  # must be set before the first is encoded
        for picture in itertools.chain([first], pictures):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
