"""Hostile answers and slips of the hand in a notebook's kernel, which must live on."""

import json
import sys

import pytest
from answers import COPIED, HOSTILE, NAMES, SETUP, SLIPS
from jupyter_client.manager import start_new_kernel

from tt_utils.grading.observing import in_process

SECONDS = 0.5  # of computing for each answer, to be done soon

PREPARE = f"""
import json, time
{NAMES}
from tt_utils.grading import check, tasks
from tt_utils.grading.grade import grade

def tried(task_id, source):
    names = dict(np=np, torch=torch, math=math, Fraction=Fraction, check=check)
    task = tasks.find(task_id)
    exec(compile(source, "<answer>", "exec"), names)
    wanted = getattr(task, "answers", ("answer",))
    answers = tuple(names.get(name, names.get("answer")) for name in wanted)
    if not hasattr(task, "answers"):
        answers = names["answer"]
    started = time.monotonic()
    result = grade(task, answers, seconds={SECONDS})
    shown = repr(result), result._repr_html_()
    seconds = time.monotonic() - started
    return json.dumps([bool(result), result.points, result.message, seconds])
"""

CALLED = f"""
import json
from tt_utils.grading import check
{NAMES}
{SETUP}
"""


class Kernel:
    def __init__(self):
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def run(self, code, seconds=90):
        """What a cell prints and the exception that it ends with."""
        printed, raised = [], []

        def hear(message):
            content = message["content"]
            if message["msg_type"] == "stream":
                printed.append(content["text"])
            elif message["msg_type"] == "error":
                raised.append(f"{content['ename']}: {content['evalue']}")
            elif message["msg_type"] in ("execute_result", "display_data"):
                printed.append(content["data"].get("text/plain", ""))

        self.client.execute_interactive(code, timeout=seconds, output_hook=hear)
        return "".join(printed), "".join(raised)

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel():
    made = Kernel()
    yield made
    made.stop()


@pytest.mark.skipif(not in_process.is_possible(), reason="needs Linux")
def test_no_answer_harms_the_kernel_or_earns_what_it_should_not(kernel):
    assert kernel.run(PREPARE)[1] == ""
    problems = []
    for name, (task_id, source) in HOSTILE.items():
        cell = f"out = tried({task_id!r}, {source!r})\nprint('RESULT', out)"
        try:
            printed, raised = kernel.run(cell)
        except (TimeoutError, RuntimeError) as error:
            problems.append(f"{name}: hung or dead, {error}")
            kernel.stop()
            kernel.__init__()
            kernel.run(PREPARE)
            continue
        lines = [line for line in printed.splitlines() if line.startswith("RESULT")]
        if raised or not lines:
            problems.append(f"{name}: {raised or printed}")
            continue
        right, _, message, seconds = json.loads(lines[-1].removeprefix("RESULT "))
        if right and name not in COPIED:
            problems.append(f"{name}: passed")
        if "Traceback" in message:
            problems.append(f"{name}: {message}")
        if seconds > 30:
            problems.append(f"{name}: {seconds:.0f} s")
    assert not problems, "\n".join(problems)


def test_a_slip_is_answered_with_one_sentence(kernel):
    assert kernel.run(CALLED)[1] == ""
    problems = []
    for name, call in SLIPS.items():
        before, _, last = call.strip().rpartition("\n")
        cell = f"{before}\nslip = {last}\nprint('RESULT', json.dumps([bool(slip), "
        cell += "slip.points, slip.message, slip.verdict]))"
        printed, raised = kernel.run(cell)
        lines = [line for line in printed.splitlines() if line.startswith("RESULT")]
        if raised or not lines:
            problems.append(f"{name}: {raised or printed}")
            continue
        right, _, message, _ = json.loads(lines[-1].removeprefix("RESULT "))
        if right or not message or "Traceback" in message:
            problems.append(f"{name}: {right} {message}")
        print(f"{name}: {message}", file=sys.stderr)
    assert not problems, "\n".join(problems)
