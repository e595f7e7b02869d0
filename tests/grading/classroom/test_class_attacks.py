"""Submissions that attack the grader: no point unearned, nothing left or lost."""

import os
import time
from dataclasses import replace
from pathlib import Path

import nbfiles
import pytest

from tt_utils.grading.classroom.grader import grade
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.sandbox.limits import STARVED
from tt_utils.grading.judging.known_answers import expected
from tt_utils.grading.tasks import find

DOT = """
def cosine_matrix(A, B):
    lengths = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.divide(A @ B.T, lengths, out=np.zeros(lengths.shape), where=lengths > 0)
"""
RIGHT = (DOT, 'check("01.2", cosine_matrix)', 'check("01.1", 56, 56 / 65)')
WRONG = "def cosine_matrix(A, B):\n    return A @ B.T"
CALL = 'check("01.2", cosine_matrix)'

# Each cell of the prisoner's says in its assertion what it found open.
PRISON = {
    "places": f"""
import os
seen = [p for p in ("/home", "/mnt", "/var", "/etc/passwd", "/sys", "/run",
                    {str(nbfiles.ROOT)!r}) if os.path.exists(p)]
assert not seen, seen
""",
    "files of the grader": """
import subprocess
names = "judge.py twins.py t2_cosine_matrix.py hostile.py 01_dot_product.ipynb".split()
wanted = sum((["-o", "-name", name] for name in names), [])[1:]
command = ["find", "/", "-path", "/proc", "-prune", "-o", "(", *wanted, ")", "-print"]
found = subprocess.run(command, capture_output=True, text=True).stdout
assert not found, found
""",
    "imports": """
import sys
from tt_utils.grading import tasks
from tt_utils.grading.tasks import find
try:
    found = find("01.2")
except NotImplementedError:
    found = None
assert found is None
assert not [n for n in sys.modules if "twins" in n or "judge" in n]
assert not [p for p in sys.path if os.path.isdir(p + "/tt_utils/grading/tasks")]
""",
    "objects": """
import gc
kinds = {type(thing).__name__ for thing in gc.get_objects()}
assert not kinds & {"FunctionTask", "ValueTask", "Mistake", "Check"}, kinds
frame, texts = sys._getframe(), []
while frame:
    texts.append(frame.f_code.co_filename)
    frame = frame.f_back
assert not [text for text in texts if "tasks" in text], texts
""",
    "network": """
import socket
try:
    socket.create_connection(("1.1.1.1", 53), timeout=1)
    assert False, "connected"
except OSError:
    pass
assert [name for _, name in socket.if_nameindex()] == ["lo"]
""",
    "writing": """
open_places = []
for place in ("/", "/usr", "/usr/lib", "/opt", "/dev", "/proc/sys/kernel",
              sys.prefix, os.path.dirname(np.__file__)):
    try:
        open(place + "/hostname", "w").write("x")
        open_places.append(place)
    except OSError:
        pass
assert not open_places, open_places
""",
    "disk": """
total = 0
try:
    for number in range(100):
        with open(f"/tmp/filler{number}", "wb") as file:
            for _ in range(32):
                total += file.write(bytes(2**20))
except OSError:
    pass
assert total < 300 * 2**20, total
for name in os.listdir("/tmp"):
    if name.startswith("filler"):
        os.unlink("/tmp/" + name)
""",
    "environment": """
odd = [n for n in os.environ if "SECRET" in n or n.startswith(("TT_", "SSH", "AWS"))]
assert not odd, odd
""",
    "other processes": """
import ctypes, signal
pids = [int(n) for n in os.listdir("/proc") if n.isdigit()]
assert len(pids) <= 4, pids
for pid in (1, os.getppid()):
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
        try:
            os.kill(pid, number)
        except OSError:
            pass
own = os.stat("/proc/1").st_uid == os.getuid()  # then it has no more rights
assert own or ctypes.CDLL(None).ptrace(16, 1, 0, 0) == -1
""",
    "rights": """
for attempt in (lambda: os.setuid(0), lambda: os.chroot("/tmp"), lambda: os.nice(-5)):
    try:
        attempt()
        assert os.getuid() != 0, "root"
        assert False, attempt
    except OSError:
        pass
""",
    "memory": """
try:
    taken = bytearray(8 * 2**30)
    assert False, "8 GiB"
except MemoryError:
    pass
""",
    "threads": """
import threading
stop, started = threading.Event(), []
try:
    for number in range(1000):
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        started.append(thread)
    assert False, "a thousand threads"
except RuntimeError:
    stop.set()
for thread in started:
    thread.join()
""",
    "links": """
os.symlink("/etc/shadow", "/tmp/link")
try:
    open("/tmp/link").read()
    assert False, "read"
except OSError:
    pass
""",
    "open files": """
def target(number):
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return ""

links = {target(number) for number in os.listdir("/proc/self/fd")}
odd = [x for x in links if x and not x.startswith(("pipe:", "/dev/null", "/proc/"))]
assert not odd, odd
""",
}


# In Docker and Podman the image's own folders are there, and the first process is the
# student's own: who ends it ends his own notebook.
ONLY_IN_BUBBLEWRAP = ("places", "other processes")


def test_a_prisoner_finds_nothing_open(grade_cells, settings, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_PARENT", "1")
    skipped = () if settings.sandbox == "bwrap" else ONLY_IN_BUBBLEWRAP
    cells = [cell for name, cell in PRISON.items() if name not in skipped]
    record = grade_cells("import os", *cells, *RIGHT)
    assert record.notes == ()
    assert record.tasks["01.2"].verdict == "right"
    assert record.tasks["01.1"].verdict == "right"


PATCHES = """
import json, os, safetensors.numpy
from tt_utils.grading.observing import attempt
from tt_utils.grading.observing import in_process
from tt_utils.grading.observing import plain_values as plain
from tt_utils.grading.observing import observation_bytes as wire
from tt_utils.grading.classroom.student_side import frames, hand_in, session

np.allclose = np.isclose = np.array_equal = lambda *_, **__: True
attempt.same = lambda *_: True
attempt.steps_between = lambda *_: 10**6
session.to_bytes = wire.to_bytes = lambda seen: b"right"
safetensors.numpy.save = lambda *_: b""
os.write = (lambda write: lambda fd, data: write(fd, data))(os.write)
in_process.observe = lambda *_: iter([attempt.Observation()] * 9)
"""
FORGERIES = {
    "patched": PATCHES,
    "handed in with no call at all": """
import os
from tt_utils.grading.classroom.student_side.frames import pack
head = {"say": "handed", "task": "01.2", "turn": 9,
        "answers": [{"form": "f", "kind": "function"}]}
for number in range(3, 64):
    try:
        os.write(number, pack(head) + pack({"say": "taken", "task": "01.2", "turn": 9}))
    except OSError:
        pass
""",
    "a call for what nobody handed in": """
import os
from tt_utils.grading.classroom.student_side.frames import pack
for number in range(3, 64):
    try:
        os.write(number, pack({"say": "call", "task": "01.2", "seed": 0}, b"x"))
    except OSError:
        pass
""",
    "a verdict": """
import os
from tt_utils.grading.classroom.student_side.frames import pack
for number in range(3, 64):
    try:
        os.write(number, pack({"say": "verdict", "task": "01.2", "points": 6}))
    except OSError:
        pass
""",
    "noise": """
import os
for number in range(3, 64):
    try:
        os.write(number, os.urandom(10_000))
    except OSError:
        pass
""",
    "a tolerance without end": """
from dataclasses import replace
from tt_utils.grading.classroom.student_side import session
original = session.to_bytes
session.to_bytes = lambda seen: original(
    replace(seen, values=tuple(replace(v, eps=1e9) for v in seen.values)))
""",
    "a pickle": """
from tt_utils.grading.classroom.student_side import session
import pickle
class Bomb:
    def __reduce__(self):
        import os
        return os.system, ("touch /tmp/harmed",)
session.to_bytes = lambda seen: pickle.dumps(Bomb())
""",
    "a flood": """
import os
for number in range(3, 64):
    try:
        for _ in range(1024):
            os.write(number, bytes(2**20))
    except OSError:
        pass
""",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_reply_earns_nothing(grade_cells, name):
    """It costs the cell that forges; what stands before and after is graded."""
    record = grade_cells(RIGHT[2], FORGERIES[name], WRONG, CALL)
    assert record.problem == ""
    assert record.tasks["01.2"].verdict != "right"
    assert record.tasks["01.1"].verdict == "right"
    assert not Path("/tmp/harmed").exists()


def test_a_fork_bomb_and_orphans_leave_no_process(settings, notebook):
    mark = f"9{os.getpid()}"
    bomb = f"""
import os, subprocess
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "{mark}"])
    os._exit(0)
try:
    while True:
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "{mark}"])
except OSError:
    pass
"""
    content = notebook(bomb, *RIGHT)
    record = grade(Submission("x", content=content), settings)
    assert record.tasks["01.2"].out_of  # graded, with what processes it left itself
    deadline = time.monotonic() + 5
    while left := [p for p in Path("/proc").glob("[0-9]*/cmdline") if marked(p, mark)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def marked(path, mark):
    try:
        return mark.encode() in path.read_bytes().split(b"\0")
    except OSError:
        return False


def test_a_bad_cell_costs_only_its_own_task(settings, notebook):
    """One that ends the process, one that computes for ever, one that sleeps."""
    limits = replace(settings.limits, cell=1.0, task=1.0)
    cells = ["import os\nos._exit(0)", "while True:\n    pass"]
    cells += ["import time\ntime.sleep(1000)", *RIGHT]
    record = grade(
        Submission("x", content=notebook(*cells)), replace(settings, limits=limits)
    )
    assert record.tasks["01.2"].verdict == "right"
    assert record.tasks["01.1"].verdict == "right"
    first, second, third = record.notes
    assert first.startswith("Cell 2 (`os._exit(0)`) ended the whole notebook")
    by_clock = f"was stopped: it took over {STARVED} s."
    computing = "was stopped after 1 s of computing."
    waiting = "was stopped after 1 s of waiting."
    if settings.sandbox == "bwrap":
        assert second == f"Cell 3 (`while True:`) {computing}"
        assert third == f"Cell 4 (`time.sleep(1000)`) {waiting}"
    else:  # its processes can't be seen; if there is no time for it, the clock ends it
        assert second.partition(") ")[2] in (computing, by_clock)
        assert third.partition(") ")[2] == by_clock


def test_a_list_of_right_answers_read_off_in_turn(grade_cells):
    """The right answers to 12.4 are the same whatever the numbers are."""
    task = find("12.4")
    right = [
        bool(expected(task, 0, n).values[0].array) for n in range(len(task.checks))
    ]
    table = f"table = iter({right})\ndef leaks(*_):\n    return next(table)"
    record = grade_cells(table, "check('12.4', leaks)")
    assert record.tasks["12.4"].verdict == "not yet"


def test_answers_without_a_call_survive_a_bad_cell(settings, notebook):
    limits = replace(settings.limits, cell=1.0)
    cells = ["while True:\n    pass", *RIGHT[:1]]
    record = grade(
        Submission("x", content=notebook(*cells)),
        replace(settings, limits=limits, chapter="01"),
    )
    assert record.tasks["01.2"].verdict == "right"


def test_a_slow_trickle_of_bytes_is_ended(settings, notebook):
    limits = replace(settings.limits, cell=1.0, task=1.0, runs=1)
    trickle = """
import os, time
from tt_utils.grading.classroom.student_side.frames import LENGTHS
outlets = [n for n in range(3, 64) if os.path.exists(f"/proc/self/fd/{n}")]
for part in LENGTHS.pack(1000, 0) + b"{" * 1000:
    for fd in outlets:
        try:
            os.write(fd, bytes([part]))
        except OSError:
            pass
    time.sleep(0.2)
"""
    started = time.monotonic()
    record = grade(
        Submission("x", content=notebook(RIGHT[2], trickle)),
        replace(settings, limits=limits),
    )
    assert time.monotonic() - started < 20
    assert record.tasks["01.1"].verdict == "right"


def test_a_copy_of_the_process_does_not_go_on(grade_cells):
    record = grade_cells("import os\nos.fork()", *RIGHT)
    assert record.tasks["01.2"].verdict == "right"
    assert record.tasks["01.1"].verdict == "right"


def test_another_check_and_another_task(grade_cells):
    record = grade_cells(
        RIGHT[2],
        'check("05.1", np.dot)',
        'check("17", 3)',
        "def check(*_): return 9",
        *RIGHT[:2],
    )
    assert record.tasks["01.1"].verdict == "right"
    assert record.tasks["01.2"].verdict == "right"  # taken by its name
    assert "No cell hands in 01.2; what has its names was taken." in record.notes


def test_an_answer_that_no_cell_hands_in_costs_no_cell(settings, notebook):
    """It is used after the last cell, which has nothing to do with it."""
    limits = replace(settings.limits, task=0.5)
    forever = "def similarity_table(vectors):\n    while True:\n        pass"
    killing = "def cosine_matrix(A, B):\n    import os\n    os.kill(os.getppid(), 9)"
    record = grade(
        Submission("x", content=notebook(forever, killing, RIGHT[2])),
        replace(settings, limits=limits, chapter="01"),
    )
    assert record.tasks["01.1"].verdict == "right"
    assert record.tasks["01.2"].verdict == "not yet"
    assert record.notes[-1].startswith("After the last cell it ended")


def test_what_is_handed_in_counts_as_it_is_then(grade_cells):
    """As in the notebook: a later cell with the same names changes nothing."""
    wrong = 'norm = None\ncheck("01.1", 1, 2)\ncheck("01.1", 56, 56 / 65)'
    helped = "def norm(x):\n    return np.linalg.norm(x, axis=1)\n" + DOT.replace(
        "np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1)", "norm(A), norm(B)"
    )
    record = grade_cells(helped, RIGHT[1], wrong)
    assert record.tasks["01.2"].verdict == "right"
    assert record.tasks["01.1"].verdict == "right"
