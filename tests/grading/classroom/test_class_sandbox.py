"""The command lines of the sandboxes, and what is said where none works."""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import nbfiles
import pytest

import tt_utils
from tt_utils.grading.classroom import sandbox
from tt_utils.grading.classroom.limits import LIMITS, STARVED
from tt_utils.grading.classroom.sandbox import NoSandbox


def test_docker_mounts_nothing_and_gives_nothing():
    command = sandbox.docker_command("docker", "tt-1", LIMITS)
    text = " ".join(command)
    assert command[:3] == ["docker", "run", "--rm"]
    for words in (
        "--network none",
        "--read-only",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        f"--pids-limit {LIMITS.processes}",
        f"--memory {LIMITS.memory} --memory-swap {LIMITS.memory}",
    ):
        assert words in text
    users = {number_of_user() for _ in range(20)}
    assert len(users) > 10  # else one fork bomb would take everyone's processes
    assert 1_000 < min(users) <= max(users) < 65_536
    assert "--init" not in command  # `timeout` itself must come first
    assert not {"--volume", "-v", "--mount", "--privileged", "--env-file"} & {*command}
    assert str(nbfiles.ROOT) not in text
    image = command.index(sandbox.IMAGE)
    most = f"{STARVED * LIMITS.wall + LIMITS.start:.0f}"
    assert command[image + 1 : image + 5] == ["timeout", "-s", "KILL", most]
    assert command[image + 5 : image + 8] == ["python", "-s", "-c"]


def number_of_user():
    command = sandbox.docker_command("docker", "tt-1", LIMITS)
    return int(command[command.index("--user") + 1].partition(":")[0])


def test_the_image_has_what_the_sandbox_imports():
    recipe = (nbfiles.ROOT / sandbox.RECIPE).read_text()
    for package in ("torch", "numpy", "safetensors", "cloudpickle", "jaxtyping"):
        assert package in recipe
    pins = set(re.findall(r"\b[a-z]+==[\d.]+\d", recipe))
    assert pins
    assert pins <= {*(nbfiles.ROOT / "requirements.txt").read_text().split()}
    assert "textbook" not in recipe.partition("FROM")[2]  # the answers stay outside


def test_bubblewrap_shows_no_checkout_and_no_wheel(tmp_path, monkeypatch):
    packages = tmp_path / "site-packages"
    for name in ("tt_utils", "transformer_textbook-0.1.dist-info", "numpy"):
        (packages / name).mkdir(parents=True)
    (packages / "__editable__.transformer_textbook.pth").touch()
    monkeypatch.setattr(sys, "path", [str(packages)])
    sandbox.packages.cache_clear()
    try:
        hidden = sandbox.to_hide()
    finally:
        sandbox.packages.cache_clear()
    inside = sandbox.PACKAGES.format(0)
    assert ["--tmpfs", f"{inside}/tt_utils"] in hidden
    assert ["--tmpfs", f"{inside}/transformer_textbook-0.1.dist-info"] in hidden
    assert [
        "--ro-bind", "/dev/null", f"{inside}/__editable__.transformer_textbook.pth"
    ] in hidden  # fmt: skip
    assert not [place for place in hidden if "numpy" in place[-1]]


def test_none_at_all(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(sandbox, "popen", missing)
    with pytest.raises(NoSandbox) as caught:
        sandbox.find("auto", LIMITS)
    assert "Nothing is graded" in str(caught.value)
    assert "apt install bubblewrap" in str(caught.value)
    assert "\n" not in str(caught.value)


def missing(command, **_):
    raise FileNotFoundError(2, "No such file or directory", command[0])


def test_one_that_starts_and_fails(monkeypatch):
    def failing(command, **_):
        code = "import sys; sys.exit('no permission to make a namespace')"
        return popen([sys.executable, "-c", code])

    popen = sandbox.popen
    monkeypatch.setattr(sandbox, "popen", failing)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(NoSandbox, match="no permission to make a namespace"):
        sandbox.find("bwrap", LIMITS)


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        ("Cannot connect.\n\nRun 'docker run --help' for more.\n", "Cannot connect."),
        ("warning\nno permission\n", "no permission"),
        ("see --help\n", "see --help"),
        (" \n", ""),
    ],
)
def test_the_last_words_of_a_sandbox(complaint, words):
    assert sandbox.last_words(complaint) == words


def test_a_container_must_close_the_answers():
    reason = sandbox.why_not("container", LIMITS)
    if os.geteuid() != 0:
        assert "needs root" in reason
    elif Path(tt_utils.__file__).parent.stat().st_mode & 0o005:
        assert "chmod 0700" in reason


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, as in a container")
def test_all_processes_of_a_user_end():
    user = 1_999_999_999
    command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    script = "for n in 1 2 3; do setsid sleep 99 & done; wait"
    process = subprocess.Popen([*command, "sh", "-c", script])
    try:
        while len(sandbox.processes_of(user)) < 4:
            time.sleep(0.01)
        sandbox.end_user(user)
        assert sandbox.processes_of(user) == []
    finally:
        process.kill()
        process.wait()


def test_limits_are_in_the_command(settings):
    limits = replace(LIMITS, disk=10 * 2**20, processes=17)
    command = sandbox.bwrap_command(limits)
    assert str(limits.disk) in command
    assert "17" in command
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent", "--clearenv"} < {
        *command
    }
