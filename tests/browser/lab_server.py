"""A JupyterLab of its own, in a new folder, with no settings of this computer."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Lab(NamedTuple):
    address: str
    folder: Path

    def at(self, name: str) -> str:
        """Where the notebook of this name opens."""
        return f"{self.address}/lab/tree/{name}?token=secret&reset"


@contextmanager
def running(home: Path) -> Iterator[Lab]:
    folder = home / "notebooks"
    folder.mkdir()
    places = ["CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"]
    environment = os.environ | {f"JUPYTER_{p}": str(home / p) for p in places}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    environment |= {"JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces")}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--ServerApp.port={port}", f"--ServerApp.root_dir={folder}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=secret"]
    command += ["--LabApp.news_url=", f"--LabApp.workspaces_dir={home / 'workspaces'}"]
    with (home / "log.txt").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, home / "log.txt")
            yield Lab(address, folder)
        finally:
            server.terminate()
            server.wait(timeout=30)
            shutil.rmtree(home, ignore_errors=True)


def wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(200):
        assert server.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{address}/api?token=secret", timeout=5).close()
        except OSError:
            time.sleep(0.3)
        else:
            return
    raise AssertionError(f"JupyterLab did not start: {log.read_text()}")
