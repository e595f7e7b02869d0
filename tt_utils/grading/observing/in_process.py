"""Uses a learner's answer in a forked process, with limits of time and memory.

Whatever the answer does there, the notebook's kernel goes on: an endless call into C,
all memory taken, a crash, `os._exit`. What it changes is gone with the process.
"""

import gc
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

from tt_utils.grading.observing import questions
from tt_utils.grading.observing.attempt import attempt
from tt_utils.grading.observing.global_state import as_at_the_start, print_warnings
from tt_utils.grading.observing.limits import WAITING
from tt_utils.grading.observing.observation import Observation, Request
from tt_utils.grading.observing.observation_bytes import from_bytes, to_bytes
from tt_utils.grading.observing.questions import LENGTH, Line
from tt_utils.grading.observing.streams import Tail

MEMORY = 3 * 2**30  # bytes that an answer may take on top of what the kernel holds
LARGEST = 2**30  # bytes of one message; what is larger was not written by this module
Answer = Callable[[int, bytes, float], bytes]  # a thing's number, a call, until when


def is_possible() -> bool:
    """Can this process be forked without harm?

    Not on Windows, and not safely on macOS, where system libraries refuse to work in
    a forked process. Nor can a graphics card in use be taken along.
    """
    if sys.platform != "linux":
        return False
    torch = sys.modules.get("torch")
    return torch is None or not torch.cuda.is_initialized()


def observe(
    answers: tuple,
    requests: Sequence[Request],
    seconds: float,
    answer: Answer | None = None,
) -> Iterator[Observation]:
    """One observation a request, up to the first that was stopped or filled the memory.

    `seconds` of CPU time are for all of them together; by the clock on the wall it
    may be `WAITING` times that. `answer` answers what stand-ins among the arguments
    are asked. Raises OSError where no process can be made.
    """
    inlet, outlet = os.pipe()
    heard, told = os.pipe()  # the way back, for answers
    try:
        with warnings.catch_warnings():
            # Python warns of threads that are not there in the fork; it needs none.
            warnings.simplefilter("ignore")
            pid = os.fork()
    except OSError:
        for end in (inlet, outlet, heard, told):
            os.close(end)
        raise
    if pid == 0:
        os.close(inlet)
        os.close(told)
        _work(answers, requests, seconds, Line(heard, outlet))
    os.close(outlet)
    os.close(heard)
    number, left, memory_full = 0, None, False
    end = time.monotonic() + WAITING * seconds
    try:
        for is_question, content in _messages(inlet, end):
            if is_question and answer:
                found = answer(*questions.number_and_call(content), end)
                questions.answer(told, content, found, end)
                continue
            message = from_bytes(content)
            yield message
            number += 1
            memory_full = ran_out_of_memory(message)
            if number == len(requests):  # a process left behind may keep the pipe open
                break
    except (ValueError, KeyError, TypeError):
        pass  # the answer wrote into our pipe; what is missing counts as ended
    except TimeoutError:
        left = "waiting"
    finally:
        os.close(inlet)
        os.close(told)
        reason = _end(pid)
    if number < len(requests) and not memory_full:
        yield Observation(stopped=left or reason)


def ran_out_of_memory(seen: Observation) -> bool:
    return seen.raised is not None and seen.raised.name == "MemoryError"


def _messages(inlet: int, end: float) -> Iterator[tuple[bool, bytes]]:
    """Is it a question, and the message, until the other side closes.

    Raises TimeoutError at the time `end`.
    """
    content = bytearray()
    while True:
        wait = end - time.monotonic()
        if wait <= 0:
            raise TimeoutError
        ready, _, _ = select.select([inlet], [], [], min(wait, 0.5))
        if not ready:
            continue
        part = os.read(inlet, 2**20)
        if not part:
            return
        content += part
        while len(content) >= LENGTH.size:
            size, is_question = LENGTH.unpack_from(content)
            if size > LARGEST:
                raise ValueError("no message of ours")
            if len(content) < LENGTH.size + size:
                break
            message = bytes(content[LENGTH.size : LENGTH.size + size])
            del content[: LENGTH.size + size]
            yield is_question, message


def _end(pid: int) -> str:
    """Ends the process and those that it made; says what had ended it before."""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:  # the notebook has told the system to forget its children
        return "ended"
    out_of_time = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (
        signal.SIGPROF,
        signal.SIGXCPU,
    )
    return "time" if out_of_time else "ended"


def _work(
    answers: tuple, requests: Sequence[Request], seconds: float, line: Line
) -> NoReturn:
    """The other side of the fork: it must never return into the notebook."""
    try:
        tail = _alone(seconds)
        line.open()
        for request in requests:
            observation = attempt(answers, request)
            line.say(to_bytes(replace(observation, printed=tail.text())))
            tail.clear()
            if ran_out_of_memory(observation):
                break  # the next call would only fill the memory again
    except BaseException:
        pass
    finally:
        os._exit(0)


def write_all(outlet: int, content: bytes) -> None:
    """Write until everything is written: a pipe may take less at once."""
    view = memoryview(content)
    while view:
        view = view[os.write(outlet, view) :]


def _alone(seconds: float) -> Tail:
    """Cuts the process off from the notebook, and sets its limits."""
    import resource

    os.setpgid(0, 0)
    gc.freeze()  # objects of the notebook are not for this process to close
    for name in (signal.SIGPROF, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    cpu = int(seconds) + 2  # where the answer has switched the timer off
    limit(resource.RLIMIT_CPU, cpu)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit_memory(MEMORY)
    tail = Tail()
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = tail
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    _mute_the_notebook()
    print_warnings()
    as_at_the_start()
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)  # the pool of threads did not come along
    return tail


def limit_memory(more: int) -> None:
    """Of addresses, on top of those in use: PyTorch for GPUs maps many in vain."""
    import resource

    with open("/proc/self/statm") as file:
        present = int(file.read().split()[0]) * resource.getpagesize()
    limit(resource.RLIMIT_AS, present + more)


def limit(kind: int, wanted: int) -> None:
    """Limit this process, by what it may have where that is less: a class says so."""
    import resource

    _, most = resource.getrlimit(kind)
    least = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(kind, (least, least))


def _mute_the_notebook() -> None:
    """Pictures and questions have no way to the reader from here."""
    import builtins

    def no_input(prompt: object = "") -> str:
        raise EOFError("a function that is checked can't ask for input")

    builtins.input = no_input
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        shell.display_pub.publish = lambda *_, **__: None
