# SPDX-License-Identifier: MIT
"""A fresh JupyterLab and a real Chromium without a network."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# WebGL on the processor; what is no WebGL is painted without it, which takes half of the time.
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization", "--no-sandbox"]
LIMIT = 120_000  # ms for whatever is waited for: graphics without a graphics card take what the machine can give


class Lab:
    """A JupyterLab of nobody's settings, and a folder of notebooks."""

    def __init__(self, folder):
        self.folder, self.token = folder, secrets.token_hex(8)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = environment_of(self.home)
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={self.port}", "--ip=127.0.0.1"]
        command += [f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={folder}", "--allow-root"]
        self.log = (folder / "lab.log").open("wb")
        self.process = subprocess.Popen(
            command, env=self.environment, cwd=folder, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True
        )

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def wait(self):
        """Wait until it answers."""
        until = time.monotonic() + LIMIT / 1000
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.address}/api/status?token={self.token}", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.3)
        raise AssertionError((self.folder / "lab.log").read_text()[-3000:])

    def write(self, name, cells):
        """Write a notebook of some cells of code and return the address at which it opens."""
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        code = [
            {"cell_type": "code", "id": f"cell{k}", "metadata": {}, "source": c, "outputs": [], "execution_count": None}
            for k, c in enumerate(cells)
        ]
        text = json.dumps({"cells": code, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
        (self.folder / name).write_text(text)
        return self.opened(name)

    def opened(self, name):
        """Return the address at which a notebook opens, alone on its page."""
        return f"{self.address}/doc/tree/{name}?token={self.token}"

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)
        self.log.close()


def environment_of(home):
    """Return an environment with nobody's settings, in which this tree is what kernels import."""
    names = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
    return {
        **os.environ, **dict.fromkeys(names, str(home)), "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONPATH": str(ROOT)
    }  # fmt: skip


@pytest.fixture(scope="session")
def lab(tmp_path_factory, require):
    """A JupyterLab that answers."""
    require(find_spec("jupyterlab"), "JupyterLab")
    lab = Lab(tmp_path_factory.mktemp("lab"))
    try:
        lab.wait()
        yield lab
    finally:
        lab.close()


@pytest.fixture(scope="session")
def browser(require):
    """The installed Chromium, driven by playwright; no browser is downloaded."""
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    require(program, "chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=LIMIT)
        yield chromium
        chromium.close()
