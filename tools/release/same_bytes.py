# SPDX-License-Identifier: MIT
"""Write an sdist anew so that the same files give the same bytes: in order, with one date and no owner.

usage: same_bytes.py SDIST    (SOURCE_DATE_EPOCH is the date)
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import tarfile
from pathlib import Path


def main(path: Path, epoch: int) -> int:
    """Replace the file."""
    plain = io.BytesIO()
    with tarfile.open(path) as source, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as target:
        for entry in sorted(source.getmembers(), key=lambda entry: entry.name):
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname, entry.pax_headers = epoch, 0, 0, "", "", {}
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            target.addfile(entry, source.extractfile(entry) if entry.isfile() else None)
    written = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=written, mtime=epoch) as stream:
        stream.write(plain.getvalue())
    path.write_bytes(written.getvalue())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), int(os.environ["SOURCE_DATE_EPOCH"])))
