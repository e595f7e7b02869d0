"""Answers that try to hang, crash, exit, flood, patch or forge: (task, source).

Never run one in a process that matters, nor without limits of time and memory. The
source defines the task's function, or `answer`: a callable, or a value task's tuple.
None of them may end the grader, hang it or show a traceback of the grader's own, and
none but `COPIED` may earn points.
"""

HOSTILE = {
    "endless loop": (
        "01.2",
        """
def cosine_matrix(A, B):
    while True:
        pass
""",
    ),
    "endless loop that swallows everything": (
        "05.1",
        """
import time


def scaled_dot_product_attention(q, k, v, mask=None):
    while True:
        try:
            time.sleep(0.001)
        except BaseException:
            continue
""",
    ),
    "endless loop in finally": (
        "01.4",
        """
def similarity_table(vectors):
    try:
        while True:
            pass
    finally:
        while True:
            pass
""",
    ),
    "endless sum in C": (
        "01.2",
        """
import itertools


def cosine_matrix(A, B):
    return sum(itertools.repeat(1))
""",
    ),
    "a huge power": (
        "01.2",
        """
def cosine_matrix(A, B):
    return 7 ** 10**9
""",
    ),
    "a regular expression without end": (
        "05.4",
        """
import re


def softmax(x, axis=-1):
    return re.match(r"(a+)+$", "a" * 60 + "b")
""",
    ),
    "sleep for an hour": (
        "05.3",
        """
import time


def batched_scores(q, k):
    time.sleep(3600)
""",
    ),
    "a lock taken twice": (
        "01.2",
        """
import threading


def cosine_matrix(A, B):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
""",
    ),
    "joins itself through a queue": (
        "01.4",
        """
import queue


def similarity_table(vectors):
    queue.Queue().get()
""",
    ),
    "asks for input": (
        "01.2",
        """
def cosine_matrix(A, B):
    return float(input("dot? "))
""",
    ),
    "the debugger": (
        "05.4",
        """
def softmax(x, axis=-1):
    breakpoint()
    return x
""",
    ),
    "reads standard input": (
        "05.3",
        """
import sys


def batched_scores(q, k):
    return sys.stdin.read()
""",
    ),
    "endless recursion": (
        "01.2",
        """
def cosine_matrix(A, B):
    return cosine_matrix(A, B)
""",
    ),
    "endless recursion in C": (
        "05.4",
        """
def softmax(x, axis=-1):
    x = []
    for _ in range(10**6):
        x = [x]
    return x
""",
    ),
    "endless generator": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    while True:
        yield q
""",
    ),
    "an endless iterator returned": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    return iter(int, 1)
""",
    ),
    "waits for a child that sleeps": (
        "01.2",
        """
import subprocess


def cosine_matrix(A, B):
    subprocess.run(["sleep", "3600"])
""",
    ),
    "opens a pipe that nobody writes": (
        "01.2",
        """
import os


def cosine_matrix(A, B):
    r, w = os.pipe()
    return os.read(r, 1)
""",
    ),
    "hangs only on later calls": (
        "01.4",
        """
calls = []


def similarity_table(vectors):
    calls.append(1)
    while len(calls) > 2:
        pass
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T
""",
    ),
    "sorts with a comparison that never ends": (
        "05.3",
        """
def batched_scores(q, k):
    class Slow:
        def __lt__(self, other):
            while True:
                pass

    return sorted([Slow(), Slow()])
""",
    ),
    "compiles an endless nest": (
        "05.4",
        """
def softmax(x, axis=-1):
    return eval("(" * 95 + "x" + ")" * 95)
""",
    ),
    "busy in NumPy": (
        "01.2",
        """
def cosine_matrix(A, B):
    n = 20_000
    return np.ones((n, 300)) @ np.ones((300, n))
""",
    ),
    "sys.exit": (
        "01.2",
        """
import sys


def cosine_matrix(A, B):
    sys.exit(3)
""",
    ),
    "sys.exit with zero": (
        "05.1",
        """
import sys


def scaled_dot_product_attention(q, k, v, mask=None):
    sys.exit(0)
""",
    ),
    "quit": (
        "05.4",
        """
def softmax(x, axis=-1):
    raise SystemExit
""",
    ),
    "os._exit": (
        "01.2",
        """
import os


def cosine_matrix(A, B):
    os._exit(0)
""",
    ),
    "os.abort": (
        "01.4",
        """
import os


def similarity_table(vectors):
    os.abort()
""",
    ),
    "kills its process": (
        "05.3",
        """
import os
import signal


def batched_scores(q, k):
    os.kill(os.getpid(), signal.SIGKILL)
""",
    ),
    "interrupts its process": (
        "05.3",
        """
import os
import signal
import time


def batched_scores(q, k):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
""",
    ),
    "segmentation fault": (
        "01.2",
        """
import ctypes


def cosine_matrix(A, B):
    ctypes.string_at(0)
""",
    ),
    "KeyboardInterrupt": (
        "05.4",
        """
def softmax(x, axis=-1):
    raise KeyboardInterrupt
""",
    ),
    "GeneratorExit": (
        "05.4",
        """
def softmax(x, axis=-1):
    raise GeneratorExit
""",
    ),
    "StopIteration": (
        "01.2",
        """
def cosine_matrix(A, B):
    raise StopIteration
""",
    ),
    "an exception that cannot be printed": (
        "01.2",
        """
class Mute(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def cosine_matrix(A, B):
    raise Mute
""",
    ),
    "an exception whose text never ends": (
        "01.4",
        """
class Loud(Exception):
    def __str__(self):
        while True:
            pass


def similarity_table(vectors):
    raise Loud
""",
    ),
    "an exception with a huge text": (
        "05.3",
        """
def batched_scores(q, k):
    raise ValueError("x" * 50_000_000)
""",
    ),
    "an exception whose text is markup": (
        "01.2",
        """
def cosine_matrix(A, B):
    raise ValueError("<script>alert(1)</script> & <b>")
""",
    ),
    "an exception with lone surrogates": (
        "01.2",
        r"""
def cosine_matrix(A, B):
    raise ValueError("\udcff\ud800")
""",
    ),
    "an exception group": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    raise ExceptionGroup("many", [ValueError(1), KeyError(2)])
""",
    ),
    "a chain of a thousand exceptions": (
        "05.4",
        """
def softmax(x, axis=-1):
    error = None
    for i in range(1000):
        new = ValueError(i)
        new.__cause__ = error
        error = new
    raise error
""",
    ),
    "an exception that is a bare BaseException": (
        "05.3",
        """
def batched_scores(q, k):
    raise BaseException("bare")
""",
    ),
    "an exit at exit": (
        "01.2",
        """
import atexit
import os


def cosine_matrix(A, B):
    atexit.register(os._exit, 7)
    return A @ B.T
""",
    ),
    "forks": (
        "01.2",
        """
import os


def cosine_matrix(A, B):
    if os.fork() == 0:
        return A @ B.T
    return None
""",
    ),
    "memory without end": (
        "01.2",
        """
def cosine_matrix(A, B):
    x = []
    while True:
        x.append(np.ones(10**6))
""",
    ),
    "list of a counter": (
        "01.2",
        """
import itertools


def cosine_matrix(A, B):
    return list(itertools.count())
""",
    ),
    "a huge array": (
        "05.4",
        """
def softmax(x, axis=-1):
    return np.ones((10**6, 10**6))
""",
    ),
    "a huge tensor": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    return torch.ones(10**6, 10**6), torch.ones(1)
""",
    ),
    "a virtual huge tensor": (
        "05.3",
        """
def batched_scores(q, k):
    return torch.zeros(1).expand(10**7, 10**7)
""",
    ),
    "a virtual huge array": (
        "01.2",
        """
def cosine_matrix(A, B):
    return np.broadcast_to(0.0, (10**9, 10**9))
""",
    ),
    "a huge text": (
        "05.4",
        """
def softmax(x, axis=-1):
    return "x" * 10**9
""",
    ),
    "big locals kept by an error": (
        "01.4",
        """
def similarity_table(vectors):
    big = np.ones(10**7)
    raise ValueError(len(big))
""",
    ),
    "a leak at every call": (
        "01.2",
        """
kept = []


def cosine_matrix(A, B):
    kept.append(np.ones(10**7))
    return A @ B.T
""",
    ),
    "a range of 10**12 as a row": (
        "05.4",
        """
def softmax(x, axis=-1):
    return range(10**12)
""",
    ),
    "print flood": (
        "01.2",
        """
def cosine_matrix(A, B):
    for i in range(200_000):
        print("line", i)
    return A @ B.T
""",
    ),
    "one line of 100 million letters": (
        "05.4",
        """
def softmax(x, axis=-1):
    print("x" * 10**8)
    return x
""",
    ),
    "prints an object whose text raises": (
        "01.2",
        """
class Odd:
    def __str__(self):
        raise ValueError


def cosine_matrix(A, B):
    print(Odd())
    return A @ B.T
""",
    ),
    "closes standard output": (
        "01.2",
        """
import sys


def cosine_matrix(A, B):
    sys.stdout.close()
    return A @ B.T
""",
    ),
    "replaces standard output": (
        "01.4",
        """
import sys


def similarity_table(vectors):
    sys.stdout = sys.stderr = None
    return vectors
""",
    ),
    "writes to file descriptor 1": (
        "05.3",
        r"""
import os


def batched_scores(q, k):
    os.write(1, b"right\n" * 1000)
    return q
""",
    ),
    "closes file descriptors": (
        "05.3",
        """
import os


def batched_scores(q, k):
    os.closerange(0, 3)
    return q
""",
    ),
    "prints control characters": (
        "01.2",
        r"""
def cosine_matrix(A, B):
    print("\033[2J\033[H\a\0 right, 4 points")
    return A @ B.T
""",
    ),
    "a thread that prints during the check": (
        "01.2",
        """
import threading


def cosine_matrix(A, B):
    def talk():
        for i in range(50):
            print(i)

    threading.Thread(target=talk, daemon=True).start()
    return np.zeros((len(A), len(B)))
""",
    ),
    "a logger in the background": (
        "01.4",
        """
import threading
import time


def log():
    for i in range(200):
        print("background", i)
        time.sleep(0.01)


def similarity_table(vectors):
    threading.Thread(target=log, daemon=True).start()
    unit = vectors / np.linalg.norm(vectors, axis=0)
    return unit @ unit.T
""",
    ),
    "a thousand threads": (
        "01.2",
        """
import threading
import time


def cosine_matrix(A, B):
    for _ in range(1000):
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    return A @ B.T
""",
    ),
    "a thread that never ends": (
        "05.3",
        """
import threading


def batched_scores(q, k):
    def spin():
        while True:
            pass

    threading.Thread(target=spin, daemon=True).start()
    return q @ k.mT
""",
    ),
    "a trace function": (
        "05.4",
        """
import sys
import threading


def softmax(x, axis=-1):
    sys.settrace(lambda *_: 1 / 0)
    threading.settrace(lambda *_: 1 / 0)
    return x
""",
    ),
    "a warning filter of errors": (
        "01.2",
        """
import warnings


def cosine_matrix(A, B):
    warnings.simplefilter("error")
    np.seterr(all="raise")
    return A @ B.T
""",
    ),
    "a sparse tensor": (
        "05.3",
        """
def batched_scores(q, k):
    return (q @ k.mT / math.sqrt(2)).to_sparse()
""",
    ),
    "a tensor on the meta device": (
        "05.3",
        """
def batched_scores(q, k):
    return (q @ k.mT).to("meta")
""",
    ),
    "a nested tensor": (
        "05.3",
        """
def batched_scores(q, k):
    return torch.nested.nested_tensor(list(q @ k.mT))
""",
    ),
    "a lazily conjugated tensor": (
        "05.3",
        """
def batched_scores(q, k):
    return torch.complex(q, q).conj() @ torch.complex(k, k).mT
""",
    ),
    "a quantised tensor": (
        "05.3",
        """
def batched_scores(q, k):
    return torch.quantize_per_tensor(q @ k.mT, 0.1, 0, torch.qint8)
""",
    ),
    "a module as result": (
        "05.3",
        """
def batched_scores(q, k):
    return torch
""",
    ),
    "a class as result": (
        "05.3",
        """
def batched_scores(q, k):
    return torch.Tensor
""",
    ),
    "a tensor with named axes": (
        "05.3",
        """
def batched_scores(q, k):
    return (q @ k.mT).flatten(0, -2).rename("rows", "keys")
""",
    ),
    "itself as result": (
        "01.2",
        """
def cosine_matrix(A, B):
    return cosine_matrix
""",
    ),
    "a masked array": (
        "01.2",
        """
def cosine_matrix(A, B):
    return np.ma.masked_array(A @ B.T, mask=True)
""",
    ),
    "a matrix": (
        "01.2",
        """
def cosine_matrix(A, B):
    return np.matrix(A @ B.T)
""",
    ),
    "a structured array": (
        "01.2",
        """
def cosine_matrix(A, B):
    return np.zeros((len(A), len(B)), dtype=[("x", float)])
""",
    ),
    "an array of dates": (
        "01.4",
        """
def similarity_table(vectors):
    return np.zeros(vectors.shape, dtype="datetime64[s]")
""",
    ),
    "an array of functions": (
        "01.4",
        """
def similarity_table(vectors):
    return np.array([[print] * len(vectors)] * len(vectors))
""",
    ),
    "a list that holds itself": (
        "01.2",
        """
def cosine_matrix(A, B):
    x = []
    x.append(x)
    return x
""",
    ),
    "a dict that holds itself": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    x = {}
    x["out"] = x["weights"] = x
    return x.values()
""",
    ),
    "a coroutine": (
        "05.4",
        """
def softmax(x, axis=-1):
    async def later():
        return x

    return later()
""",
    ),
    "an open file": (
        "05.4",
        """
def softmax(x, axis=-1):
    import tempfile

    return tempfile.TemporaryFile()
""",
    ),
    "NaN everywhere": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    return torch.full((1, 3), torch.nan), torch.full((1, 2), torch.nan)
""",
    ),
    "a freed buffer": (
        "01.4",
        """
def similarity_table(vectors):
    view = memoryview(bytearray(8))
    view.release()
    return view
""",
    ),
    "__array__ that loops": (
        "01.2",
        """
class Odd:
    def __array__(self, *args, **kwargs):
        while True:
            pass


def cosine_matrix(A, B):
    return Odd()
""",
    ),
    "__array__ that exits": (
        "01.2",
        """
import os


class Odd:
    def __array__(self, *args, **kwargs):
        os._exit(0)


def cosine_matrix(A, B):
    return Odd()
""",
    ),
    "__array__ that raises": (
        "05.4",
        """
class Odd:
    def __array__(self, *args, **kwargs):
        raise KeyboardInterrupt


def softmax(x, axis=-1):
    return Odd()
""",
    ),
    "__repr__ that loops": (
        "01.4",
        """
class Odd:
    def __repr__(self):
        while True:
            pass


def similarity_table(vectors):
    return Odd()
""",
    ),
    "__len__ that lies": (
        "01.2",
        """
class Odd(list):
    def __len__(self):
        return 10**12


def cosine_matrix(A, B):
    return Odd()
""",
    ),
    "__class__ that raises": (
        "01.2",
        """
class Odd:
    @property
    def __class__(self):
        raise RuntimeError


def cosine_matrix(A, B):
    return Odd()
""",
    ),
    "__getattr__ that always answers": (
        "05.1",
        """
class Odd:
    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


def scaled_dot_product_attention(q, k, v, mask=None):
    return Odd(), Odd()
""",
    ),
    "__eq__ that is always True": (
        "05.4",
        """
class Odd(np.ndarray):
    def __new__(cls):
        return np.zeros(1).view(cls)

    def __eq__(self, other):
        return True


def softmax(x, axis=-1):
    return Odd()
""",
    ),
    "a subclass that says all is close": (
        "01.2",
        """
class Close(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs):
        return np.True_

    def __array_function__(self, *args, **kwargs):
        return np.True_


def cosine_matrix(A, B):
    return (A @ B.T).view(Close)
""",
    ),
    "a tensor subclass that answers for itself": (
        "05.3",
        """
class Close(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *args, **kwargs):
        return True


def batched_scores(q, k):
    return (q @ k.mT).as_subclass(Close)
""",
    ),
    "a detach that never ends": (
        "05.3",
        """
class Odd:
    def detach(self):
        while True:
            pass


def batched_scores(q, k):
    return Odd()
""",
    ),
    "a __del__ that loops": (
        "01.4",
        """
import time


class Odd:
    def __del__(self):
        time.sleep(30)


def similarity_table(vectors):
    Odd()
    return vectors
""",
    ),
    "an array that changes after the return": (
        "01.2",
        """
import threading
import time


def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))

    def later():
        time.sleep(0.05)
        table[:] = 1

    threading.Thread(target=later, daemon=True).start()
    return table
""",
    ),
    "patches np.isclose": (
        "01.2",
        """
def cosine_matrix(A, B):
    np.isclose = lambda a, b, **_: np.ones(np.shape(a), dtype=bool)
    np.allclose = lambda *_, **__: True
    return np.zeros((len(A), len(B)))
""",
    ),
    "patches np.array_equal": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    np.array_equal = lambda *_, **__: True
    torch.allclose = lambda *_, **__: True
    return q, k
""",
    ),
    "patches the checker": (
        "01.2",
        """
def cosine_matrix(A, B):
    from tt_utils.grading import checker

    for name in dir(checker):
        if name in ("_failure", "difference", "judge"):
            setattr(checker, name, lambda *_, **__: None)
    return np.zeros((len(A), len(B)))
""",
    ),
    "patches the comparison": (
        "05.4",
        """
def softmax(x, axis=-1):
    from tt_utils.grading import comparison

    comparison.difference = lambda *_, **__: None
    comparison.agree = lambda *_, **__: True
    return x
""",
    ),
    "calls the reference": (
        "01.2",
        """
def cosine_matrix(A, B):
    from tt_utils.grading import tasks

    return tasks.find("01.2").reference(A, B)
""",
    ),
    "asks the chapter's own function": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    import tt_utils.attention as attention

    return attention.scaled_dot_product_attention(q, k, v, mask)
""",
    ),
    "reads the stack for the task": (
        "01.4",
        """
import sys


def similarity_table(vectors):
    frame = sys._getframe()
    while frame:
        task = frame.f_locals.get("task")
        if task is not None:
            return task.reference(vectors)
        frame = frame.f_back
    return vectors
""",
    ),
    "reads the other threads' stacks for the task": (
        "01.2",
        """
import sys


def cosine_matrix(A, B):
    for frame in sys._current_frames().values():
        while frame:
            task = frame.f_locals.get("task")
            if task is not None:
                return task.reference(A, B)
            frame = frame.f_back
    return A @ B.T
""",
    ),
    "reads the garbage collector's objects": (
        "05.3",
        """
import gc


def batched_scores(q, k):
    for thing in gc.get_objects():
        if type(thing).__name__ == "FunctionTask" and thing.id == "05.3":
            return thing.reference(np.asarray(q), np.asarray(k))
    return q @ k.mT
""",
    ),
    "saves its own points": (
        "05.1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    from tt_utils.grading import points

    points.save("05.1", 4)
    return q, k
""",
    ),
    "writes the progress file": (
        "05.4",
        """
import os


def softmax(x, axis=-1):
    path = os.environ.get("TT_PROGRESS")
    if path:
        with open(path, "w") as file:
            file.write("[" * 200_000)
    return x
""",
    ),
    "takes the home away": (
        "01.2",
        """
import os


def cosine_matrix(A, B):
    os.environ.pop("HOME", None)
    os.environ.pop("TT_PROGRESS", None)
    return A @ B.T
""",
    ),
    "an object that knows the reference when read": (
        "01.2",
        """
class Late:
    def __init__(self, A, B):
        self.inputs = A, B

    def __array__(self, *args, **kwargs):
        from tt_utils.grading import tasks

        return np.asarray(tasks.find("01.2").reference(*self.inputs))


def cosine_matrix(A, B):
    return Late(A, B)
""",
    ),
    "changes the random generator of all": (
        "05.2",
        """
def variance_growth(dims, rng):
    np.random.default_rng = lambda *_: rng
    return 1.0, math.log(16)
""",
    ),
    "an rng of constants": (
        "05.2",
        """
def variance_growth(dims, rng):
    rng.normal = lambda *_, **__: 0
    return 1.0, math.log(16)
""",
    ),
    "removes numpy": (
        "01.4",
        """
import sys


def similarity_table(vectors):
    sys.modules["numpy"] = None
    return vectors
""",
    ),
    "changes the recursion limit": (
        "01.2",
        """
import sys


def cosine_matrix(A, B):
    sys.setrecursionlimit(60)
    return A @ B.T
""",
    ),
    "sets default dtype and threads": (
        "05.3",
        """
def batched_scores(q, k):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    return q @ k.mT
""",
    ),
    "deletes builtins": (
        "05.4",
        """
def softmax(x, axis=-1):
    import builtins

    del builtins.len
    return x
""",
    ),
    "patches print and isinstance": (
        "05.4",
        """
def softmax(x, axis=-1):
    import builtins

    builtins.isinstance = lambda *_: True
    return x
""",
    ),
    "patches time": (
        "01.2",
        """
import time


def cosine_matrix(A, B):
    time.monotonic = lambda: 0.0
    time.sleep = lambda *_: None
    while True:
        pass
""",
    ),
    "no lines of source": (
        "01.2",
        """
def cosine_matrix(A, B):
    pass
    return eval("1 / 0")
""",
    ),
    "a callable without a name": (
        "01.2",
        """
import functools

answer = functools.partial(lambda A, B, *, c: A @ B.T / c, c=0)
""",
    ),
    "a call that raises when looked at": (
        "01.4",
        """
class Odd:
    def __call__(self, vectors):
        return vectors

    def __getattribute__(self, name):
        raise RuntimeError(name)


answer = Odd()
""",
    ),
    "a metaclass that cannot be called twice": (
        "05.4",
        """
class Once(type):
    def __call__(cls, x, axis=-1):
        cls.__call__ = None
        return x


class answer(metaclass=Once):
    pass
""",
    ),
    "a value whose number never comes": (
        "01.1",
        """
class Odd:
    def __float__(self):
        while True:
            pass

    __array__ = __index__ = __float__


answer = Odd(), 0.862
""",
    ),
    "a value that equals everything": (
        "01.1",
        """
class Any(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = float.__hash__


answer = Any(1), Any(1)
""",
    ),
    "a value that is a huge whole number": (
        "01.1",
        """
answer = 10**100_000, 0.862
""",
    ),
    "a value that is an endless iterator": (
        "05.5",
        """
import itertools

answer = itertools.repeat(1 / 7), 9
""",
    ),
    "a word that exits when compared": (
        "01.3",
        """
import os


class Word(str):
    def __eq__(self, other):
        os._exit(0)

    def strip(self, *_):
        os._exit(0)

    lower = casefold = strip
    __hash__ = str.__hash__


answer = Word("the"), "drank", "black"
""",
    ),
    "a word of a million letters": (
        "01.3",
        """
answer = "the" * 10**6, "drank", "black"
""",
    ),
    "a value that is a bare object": (
        "05.5",
        """
answer = object(), object()
""",
    ),
    "a tensor on no device": (
        "05.5",
        """
answer = torch.empty(3, device="meta"), 9
""",
    ),
    "a list nested a hundred thousand deep": (
        "05.5",
        """
deep = 1 / 7
for _ in range(100_000):
    deep = [deep]
answer = deep, 9
""",
    ),
}

# Their numbers are right, but taken from the grader or from the package. A check in the
# learner's own process may pass them; a class's grader may not.
COPIED = {
    "a word that exits when compared",  # it is the right word, and nobody compares it
    "calls the reference",
    "asks the chapter's own function",
    "reads the stack for the task",
    "reads the other threads' stacks for the task",
    "reads the garbage collector's objects",
    "an object that knows the reference when read",
}
