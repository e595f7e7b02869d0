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
from tt_utils.grading.classroom.sandbox import (
    bubblewrap,
    choose,
    containers,
    other_user,
)
from tt_utils.grading.classroom.sandbox.choose import NoSandbox
from tt_utils.grading.classroom.sandbox.limits import LIMITS, STARVED


def test_docker_mounts_nothing_and_gives_nothing():
    command = containers.command_line("docker", "tt-1", LIMITS)
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
    image = command.index(containers.IMAGE)
    most = f"{STARVED * LIMITS.wall + LIMITS.start:.0f}"
    assert command[image + 1 : image + 5] == ["timeout", "-s", "KILL", most]
    assert command[image + 5 : image + 8] == ["python", "-s", "-c"]


def number_of_user():
    command = containers.command_line("docker", "tt-1", LIMITS)
    return int(command[command.index("--user") + 1].partition(":")[0])


def test_the_image_has_what_the_sandbox_imports():
    recipe = (nbfiles.ROOT / choose.RECIPE).read_text()
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
    bubblewrap.packages.cache_clear()
    try:
        hidden = bubblewrap.to_hide()
    finally:
        bubblewrap.packages.cache_clear()
    inside = bubblewrap.PACKAGES.format(0)
    assert ["--tmpfs", f"{inside}/tt_utils"] in hidden
    assert ["--tmpfs", f"{inside}/transformer_textbook-0.1.dist-info"] in hidden
    assert [
        "--ro-bind", "/dev/null", f"{inside}/__editable__.transformer_textbook.pth"
    ] in hidden  # fmt: skip
    assert not [place for place in hidden if "numpy" in place[-1]]


def test_bubblewrap_shows_packages_at_one_place_only(tmp_path, monkeypatch):
    """Those of another Python, which may hold the book, too."""
    others = [tmp_path / "lib" / f"python3.{n}" / "site-packages" for n in (11, 13)]
    for folder in (*others, tmp_path / "envs" / "course"):
        folder.mkdir(parents=True)
    visible = [["--ro-bind", str(tmp_path), str(tmp_path)]]
    monkeypatch.setattr(bubblewrap, "system_folders", lambda: visible)
    hidden = bubblewrap.to_hide()
    for folder in (*others, tmp_path / "envs" / "course"):
        assert ["--tmpfs", str(folder)] in hidden


@pytest.fixture
def shelf(tmp_path, monkeypatch, settings):
    """A folder that shows in the sandbox."""
    if settings.sandbox != "bwrap":
        pytest.skip("needs bubblewrap: only there a folder of this machine shows")
    folder = tmp_path / "shelf"
    folder.mkdir()
    seen = bubblewrap.system_folders
    place = ["--ro-bind", str(folder), "/srv/shelf"]
    monkeypatch.setattr(bubblewrap, "system_folders", lambda: [*seen(), place])
    return folder


def test_nothing_of_the_book_is_in_sight(shelf):
    (shelf / "notes.txt").write_text("what chapter 05 asks\n" * 100)
    assert choose.why_not("bwrap", LIMITS) == ""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("wheels/transformer_textbook-0.1-py3-none-any.whl", None),
        ("mine.txt", "tt_utils/grading/tasks/ch05_scaled_dot_product/t1_attention.py"),
        ("a/05.json", "solutions/05_scaled_dot_product.ipynb"),
    ],
)
def test_where_answers_are_in_sight_nothing_is_graded(shelf, name, source):
    (shelf / name).parent.mkdir(parents=True, exist_ok=True)
    content = (nbfiles.ROOT / source).read_bytes() if source else b"x"
    (shelf / name).write_bytes(content)
    with pytest.raises(NoSandbox, match=f"could find .* at /srv/shelf/{name}"):
        choose.find("bwrap", LIMITS)


def test_where_the_package_can_be_imported_nothing_is_graded(shelf, monkeypatch):
    packages = shelf / "site-packages"
    (packages / "tt_utils").mkdir(parents=True)
    (packages / "tt_utils" / "__init__.py").touch()
    path = f"{bubblewrap.python_path()}:/srv/shelf/site-packages"
    monkeypatch.setattr(bubblewrap, "python_path", lambda: path)
    why = choose.why_not("bwrap", LIMITS)
    assert "could find" in why
    assert "/srv/shelf/site-packages/tt_utils" in why


def test_none_at_all(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    for kind in (bubblewrap, containers):
        monkeypatch.setattr(kind, "popen", missing)
    with pytest.raises(NoSandbox) as caught:
        choose.find("auto", LIMITS)
    assert "Nothing is graded" in str(caught.value)
    assert "apt install bubblewrap" in str(caught.value)
    assert "\n" not in str(caught.value)


def missing(command, **_):
    raise FileNotFoundError(2, "No such file or directory", command[0])


def test_one_that_starts_and_fails(monkeypatch):
    def failing(command, **_):
        code = "import sys; sys.exit('no permission to make a namespace')"
        return popen([sys.executable, "-c", code])

    popen = bubblewrap.popen
    monkeypatch.setattr(bubblewrap, "popen", failing)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(NoSandbox, match="no permission to make a namespace"):
        choose.find("bwrap", LIMITS)


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
    assert choose.last_words(complaint) == words


def test_a_container_must_close_the_answers():
    reason = choose.why_not("container", LIMITS)
    if os.geteuid() != 0:
        assert "needs root" in reason
    elif Path(tt_utils.__file__).parent.stat().st_mode & 0o005:
        assert "chmod 0700" in reason


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: as in a container")
def test_all_processes_of_a_user_end():
    user = 1_999_999_999
    command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    script = "for n in 1 2 3; do setsid sleep 99 & done; wait"
    process = subprocess.Popen([*command, "sh", "-c", script])
    try:
        while len(other_user.processes_of(user)) < 4:
            time.sleep(0.01)
        other_user.end_user(user)
        assert other_user.processes_of(user) == []
    finally:
        process.kill()
        process.wait()


def test_limits_are_in_the_command(settings):
    limits = replace(LIMITS, disk=10 * 2**20, processes=17)
    command = bubblewrap.command_line(limits)
    assert str(limits.disk) in command
    assert "17" in command
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent", "--clearenv"} < {
        *command
    }
