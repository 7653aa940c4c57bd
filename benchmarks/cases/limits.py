# SPDX-License-Identifier: MIT
"""What the machine allows: filling and copying arrays of the sizes used here, and multiply-adds per second.

A copy reads as many bytes as it writes; rates are bytes written. The multiply-adds are those of twelve
independent chains of wide floats in registers, the roots those of numbers in the nearest cache, compiled for this CPU
by the C compiler at hand.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from peers import MISSING

from cases import Case

SIZES = {"256 KB": 256e3, "1.2 MB": 1.2e6, "10 MB": 10e6, "42 MB": 41.6e6, "77 MB": 76.8e6}
ROUNDS, CHAINS, ROOTS = 20_000, 12, 256

FMA_SOURCE = r"""
#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
#if defined(__aarch64__)
#define REGISTER "+w"
#else
#define REGISTER "+x"
#endif
/* without it the compiler sees that all chains are the same one */
#define KEEP(a, b, c, d, e, f) \
    __asm__ volatile("" : REGISTER(a), REGISTER(b), REGISTER(c), REGISTER(d), REGISTER(e), REGISTER(f))
#define PEAK(NAME, T)                                                          \
    int NAME##_lanes(void) { return BYTES / (int)sizeof(T); }                  \
    T NAME(long rounds, T factor, T addend) {                                  \
        typedef T wide __attribute__((vector_size(BYTES)));                    \
        wide a = {0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a; \
        const wide x = a + factor, y = a + addend;                             \
        for (long n = 0; n < rounds; n++) {                                    \
            a = a * x + y; b = b * x + y; c = c * x + y; d = d * x + y;        \
            e = e * x + y; f = f * x + y; g = g * x + y; h = h * x + y;        \
            i = i * x + y; j = j * x + y; k = k * x + y; l = l * x + y;        \
            KEEP(a, b, c, d, e, f);                                            \
            KEEP(g, h, i, j, k, l);                                            \
        }                                                                      \
        const wide sum = ((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + l)); \
        return sum[0];                                                         \
    }
PEAK(peak_f32, float)
PEAK(peak_f64, double)

/* One over the root, of 256 numbers that do not depend on each other. */
void roots_f32(long rounds, float *numbers) {
    for (long n = 0; n < rounds; n++)
        for (int i = 0; i < 256; i++) numbers[i] = 1.0f / __builtin_sqrtf(numbers[i] + 1.0f);
}
"""


def cases() -> Iterator[Case]:
    for name, size in SIZES.items():
        source, target = np.zeros(int(size), np.uint8), np.ones(int(size), np.uint8)
        case = Case(f"memory, {name}", "GB/s", size, 1e-9)
        case.add("memset", lambda t=target: ctypes.memset(t.ctypes.data, 0, t.nbytes))
        case.add("memcpy", lambda t=target, s=source: ctypes.memmove(t.ctypes.data, s.ctypes.data, t.nbytes))
        yield case
    library = _compile()
    if library is None:
        return
    for dtype, kind in (("float32", ctypes.c_float), ("float64", ctypes.c_double)):
        function = getattr(library, f"peak_f{dtype[5:]}")
        function.argtypes, function.restype = [ctypes.c_long, kind, kind], kind
        lanes = getattr(library, f"peak_f{dtype[5:]}_lanes")()
        case = Case(f"multiply-adds, {dtype}", "Gflop/s", 2.0 * CHAINS * lanes * ROUNDS, 1e-9)
        case.add("C", lambda f=function: f(ROUNDS, 0.5, 1.0))
        yield case
    library.roots_f32.argtypes = [ctypes.c_long, ctypes.c_void_p]
    numbers = np.ones(ROOTS, np.float32)
    case = Case("one over a root, float32", "Mresults/s", float(ROOTS) * ROUNDS, 1e-6)
    case.add("C", lambda: library.roots_f32(ROUNDS, numbers.ctypes.data))
    yield case


def _compile() -> ctypes.CDLL | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        MISSING["multiply-adds"] = "no C compiler"
        return None
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    (folder / "peak.c").write_text(FMA_SOURCE)
    flags = ["-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared", "-fPIC"]
    done = subprocess.run([compiler, *flags, "-o", "peak.so", "peak.c"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        MISSING["multiply-adds"] = f"{compiler}: {done.stderr.splitlines()[-1]}"
        return None
    return ctypes.CDLL(str(folder / "peak.so"))
