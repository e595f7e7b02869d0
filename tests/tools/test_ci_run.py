"""What `.ci/run` asks of a machine before it tests, tried on machines of straw."""

import shutil
import subprocess

import nbfiles
import pytest

TOOLS = (
    "bash",
    "cat",
    "chmod",
    "dirname",
    "env",
    "ln",
    "mktemp",
    "rm",
    "tail",
    "xargs",
)
NO_MAP = "bwrap: setting up uid map: Permission denied"
MACHINE = {
    "id": "echo 1000",
    "chromium": "",
    "bwrap": "",
    "fc-list": "echo Liberation Serif",
    "sudo": '[ "$1" = -n ] && shift; "$@"',
    "apt-get": "exit 1",
    "apt-cache": "exit 1",
    "sysctl": "echo 0",
    "make": "echo make $1, strict $TT_STRICT",
}
NO_SUDO = {"sudo": "exit 1"}
INSTALLS = {
    "apt-get": 'cd "${0%/*}"; for name in chromium bwrap; do '
    "echo '#!/bin/sh' >$name; chmod +x $name; done; echo $@ >asked"
}
NO_WINDOWS = "chromium-headless-shell"


@pytest.fixture
def run(tmp_path):
    """Runs it where only these programs are; gives status and words."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(nbfiles.ROOT / ".ci" / "run", tmp_path / ".ci")
    machine = tmp_path / "machine"
    machine.mkdir()
    for name in TOOLS:
        (machine / name).symlink_to(shutil.which(name))

    def run(*without, strict=None, **programs):
        for name, script in (MACHINE | programs).items():
            if name not in without:
                (machine / name).write_text(f"#!/bin/sh\n{script}\n")
                (machine / name).chmod(0o755)
        environment = {"PATH": str(machine)}
        if strict is not None:
            environment["TT_STRICT"] = strict
        done = subprocess.run(
            [tmp_path / ".ci" / "run"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    return run


def test_with_all_there_the_tests_run_strictly(run):
    assert run() == (0, "make test, strict 1\n")


@pytest.mark.parametrize(
    ("user", "words"),
    [("0", "installing chromium bubblewrap\n"), ("1000", "bubblewrap by sudo\n")],
)
def test_what_is_missing_is_installed(run, user, words):
    status, said = run("chromium", "bwrap", id=f"echo {user}", **INSTALLS)
    assert status == 0, said
    assert words in said
    assert said.endswith("make test, strict 1\n")


@pytest.mark.parametrize("other", [NO_WINDOWS, "google-chrome"])
def test_another_chromium_will_do(run, other):
    assert run("chromium", **{other: ""}) == (0, "make test, strict 1\n")


@pytest.mark.parametrize(("known", "wanted"), [(0, NO_WINDOWS), (1, "chromium")])
def test_a_chromium_without_windows_is_installed_where_there_is_one(
    run, tmp_path, known, wanted
):
    programs = INSTALLS | {"apt-cache": f"exit {known}"}
    status, said = run("chromium", "bwrap", id="echo 0", **programs)
    assert status == 0, said
    asked = (tmp_path / "machine" / "asked").read_text().split()
    assert asked[-2:] == [wanted, "bubblewrap"]


def test_who_may_not_install_is_told_what_to(run):
    status, said = run("bwrap", **NO_SUDO)
    assert status == 1
    assert said.count("\n") == 1
    assert "need bubblewrap; install that (Debian: apt install bubblewrap)" in said


def test_a_failed_installation_is_no_way_round(run):
    status, said = run("chromium")
    assert status == 1
    assert "need chromium; install that" in said


def test_without_strictness_the_tests_run(run):
    status, said = run("bwrap", strict="0", **NO_SUDO)
    assert status == 0
    assert said.endswith("make test, strict 0\n")


@pytest.mark.parametrize(
    ("restricted", "words"),
    [
        ("1", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
        ("0", "allow this user namespaces"),
    ],
)
def test_a_bubblewrap_that_does_not_start_is_named(run, restricted, words):
    fails = f"echo '{NO_MAP}' >&2; exit 1"
    status, said = run(bwrap=fails, sysctl=f"echo {restricted}")
    assert status == 1
    assert said.count("\n") == 1
    assert NO_MAP in said
    assert words in said
