"""Runs a task's checks in order and says what the first failure teaches."""

import dis
import linecache
import math
import time
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tt_utils.grading.comparison import NotNumbers, agree, as_arrays, difference, show
from tt_utils.grading.report import Result
from tt_utils.grading.runner import Outcome, materialise, run
from tt_utils.grading.spec import ANYTHING, Draws, FunctionTask, Task, ValueTask, Wrong

SECONDS = 10.0  # for all calls of one task together


def grade(
    task: Task, answers: tuple, seed: int = 0, seconds: float = SECONDS
) -> Result:
    """A Result for any answers whatsoever: full points, or none and a reason."""
    if isinstance(task, FunctionTask):
        return _grade_function(task, answers, seed, seconds)
    return _grade_values(task, answers)


def _result(task: Task, verdict: str, message: str = "", **more: Any) -> Result:
    return Result(
        heading=f"{task.id} {task.title}",
        verdict=verdict,
        message=message,
        points=task.points if verdict == "right" else 0,
        out_of=task.points,
        **more,
    )


def _not_attempted(task: Task) -> Result:
    return _result(
        task, "not attempted", "Replace the `...` with your answer, then run again."
    )


# --- functions ---------------------------------------------------------------------


@dataclass(frozen=True)
class _Call:
    """One check: its arguments, what was expected, what the learner's call gave."""

    title: str
    arguments: tuple
    expected: dict[str, np.ndarray]
    outcome: Outcome
    got: dict[str, np.ndarray] | None  # None where the outcome holds no numbers


def _grade_function(
    task: FunctionTask, answers: tuple, seed: int, seconds: float
) -> Result:
    usage = f'check("{task.id}", {task.function})'
    if len(answers) != 1:
        return _result(
            task,
            "not checked",
            f"This task takes one answer, got {len(answers)}. Call `{usage}`.",
        )
    (function,) = answers
    if function is None or function is ... or _is_stub(function):
        return _not_attempted(task)
    if not callable(function):
        return _result(
            task,
            "not checked",
            f"Expected the function itself, got {_a(function)}. Pass its name "
            f"without brackets: `{usage}`.",
        )
    calls = _call_all(task, function, seed, seconds)
    for passed, call in enumerate(calls):
        failure = _failure(task, function, call)
        if failure is None:
            continue
        if failure.verdict == "not yet":
            failure = _with_place(failure, task, passed, call.title)
        if call.got is not None and not failure.hint:
            return _with_hint(failure, diagnose(task, calls, passed))
        return failure
    return _after_values(task, calls)


def _call_all(
    task: FunctionTask, function: Callable, seed: int, seconds: float
) -> list[_Call]:
    """Every check's call, up to the first that had to be stopped."""
    calls: list[_Call] = []
    materialise((np.zeros(1),), task.arrays)  # a first import is not on their clock
    end = time.monotonic() + seconds
    for check, arguments in zip(task.checks, task.inputs(seed), strict=True):
        left = max(0.1, end - time.monotonic())
        outcome = run(function, arguments, task.arrays, left)
        expected = reference_outputs(task, arguments)
        calls.append(
            _Call(check.title, arguments, expected, outcome, _numbers(task, outcome))
        )
        if outcome.stopped:
            break
    return calls


def reference_outputs(task: FunctionTask, arguments: tuple) -> dict[str, np.ndarray]:
    """The right outputs for one check's arguments."""
    with np.errstate(all="ignore"):
        value = task.reference(*materialise(arguments, "numpy"))
    return as_arrays(value, task.outputs)


def _numbers(task: FunctionTask, outcome: Outcome) -> dict[str, np.ndarray] | None:
    if outcome.error or outcome.stopped:
        return None
    try:
        return as_arrays(outcome.value, task.outputs)
    except NotNumbers:
        return None


def _failure(task: FunctionTask, function: Callable, call: _Call) -> Result | None:
    """Why this call fails, or None if its values are right."""
    outcome = call.outcome
    if outcome.stopped:
        return _stopped(task, outcome)
    if outcome.error is not None:
        return _raised(task, function, call)
    if call.got is None:
        return _no_numbers(task, call)
    found = difference(call.expected, call.got, task.rtol, task.atol)
    if found is None:
        return None
    return _result(
        task,
        "not yet",
        found.sentence,
        evidence=(
            ("Inputs", show_inputs(task, call.arguments)),
            ("Expected", found.expected),
            ("Got", found.got),
        ),
        printed=outcome.printed,
    )


def _stopped(task: FunctionTask, outcome: Outcome) -> Result:
    if outcome.stopped == "in time":
        message = (
            f"Your function was stopped: it ran past the limit of {SECONDS:.0f} "
            "seconds. Which loop never ends?"
        )
    else:
        message = (
            f"Your function ran past the limit of {SECONDS:.0f} seconds, could not be "
            "stopped and is still running. Restart the kernel (menu Kernel, or Runtime "
            "on Colab) before you go on."
        )
    return _result(task, "not yet", message, printed=outcome.printed)


def _raised(task: FunctionTask, function: Callable, call: _Call) -> Result:
    error = call.outcome.error
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # an exception class of the learner's own
        text = ""
    if len(text) > 400:
        text = text[:400] + " …"
    where = _line_of(error, function)
    evidence = [("Inputs", show_inputs(task, call.arguments))]
    if where:
        evidence.insert(0, ("Your line", where))
        message = f"Your function raised {name}: {text}" if text else ""
        message = message or f"Your function raised {name}."
    else:
        message = (
            f"The call `{task.function}({', '.join(task.arguments)})` "
            f"failed with {name}: {text}"
        )
    return _result(
        task, "not yet", message, evidence=tuple(evidence), printed=call.outcome.printed
    )


def _line_of(error: BaseException, function: Callable) -> str:
    """The deepest line in the file (or cell) that holds the learner's function."""
    code = getattr(function, "__code__", None)
    own = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if code is not None and frame.f_code.co_filename == code.co_filename
    ]
    if not own:
        return ""
    frame, line = own[-1]
    source = linecache.getline(frame.f_code.co_filename, line).strip()
    return f"line {line} of {frame.f_code.co_name}: {source}".rstrip(": ")


def _no_numbers(task: FunctionTask, call: _Call) -> Result:
    value = call.outcome.value
    if value is None:
        message = "Your function returned None. Does it end with a `return`?"
    elif _has_ellipsis(value):
        message = "Your function still returns a `...`: something is left to fill in."
    else:
        try:
            as_arrays(value, task.outputs)
        except NotNumbers as error:
            message = str(error)
    return _result(task, "not yet", message, printed=call.outcome.printed)


def _with_place(failure: Result, task: FunctionTask, passed: int, title: str) -> Result:
    place = f"Check {passed + 1} of {len(task.checks)} fails: {title}. "
    return replace(failure, message=place + failure.message)


def _with_hint(failure: Result, wrong: Wrong | None) -> Result:
    return replace(failure, hint=wrong.hint) if wrong else failure


def _after_values(task: FunctionTask, calls: list[_Call]) -> Result:
    """All values are right; what can still be wrong."""
    printed = calls[-1].outcome.printed
    changed = next((call for call in calls if call.outcome.changed), None)
    if changed is not None:
        names = [f"`{task.arguments[i]}`" for i in changed.outcome.changed]
        return _result(
            task,
            "not yet",
            f"The values are right, but your function changed its input "
            f"{' and '.join(names)}. Whoever called it still needs that array.",
            hint="Which line writes into an array that it was given?",
            printed=printed,
        )
    for law in task.laws:
        if not law.holds([call.got for call in calls]):
            return _result(
                task, "not yet", f"{law.title}.", hint=law.hint, printed=printed
            )
    listed = any(_holds_list(call.outcome.value, task) for call in calls)
    note = "Accepted as it is; an array would suit the code that comes next better."
    return _result(
        task,
        "right",
        f"All {len(calls)} checks pass.",
        note=note if listed else "",
        printed=printed,
    )


def _holds_list(value: Any, task: FunctionTask) -> bool:
    values = [value] if len(task.outputs) == 1 else value
    return any(isinstance(item, list) for item in values)


def diagnose(task: FunctionTask, calls: list[_Call], first: int) -> Wrong | None:
    """The known mistake that gives the same outputs as the learner's function.

    It must reproduce the first failing call. Of several that do, the one that
    reproduces most calls wins, so that a second mistake further up the ladder
    does not hide the first one's hint; a draw gives no hint.
    """
    scored = []
    for wrong in task.wrong:
        # The first failing call first: it rules out nearly all of them.
        if all(_reproduces(task, wrong, calls[i]) for i in (first, *range(first))):
            later = calls[first + 1 :]
            scored.append((sum(_reproduces(task, wrong, c) for c in later), wrong))
    best = max((score for score, _ in scored), default=0)
    winners = [wrong for score, wrong in scored if score == best]
    return winners[0] if len(winners) == 1 else None


def _reproduces(task: FunctionTask, wrong: Wrong, call: _Call) -> bool:
    outputs = wrong_outputs(task, wrong.answer, call.arguments)
    if outputs is None or call.got is None:
        return outputs is None and call.got is None
    return agree(outputs, call.got, task.rtol, task.atol)


def wrong_outputs(
    task: FunctionTask, answer: Callable, arguments: tuple
) -> dict[str, np.ndarray] | None:
    """The outputs of a known mistake; None where it raises."""
    try:
        with np.errstate(all="ignore"):
            value = answer(*materialise(arguments, "numpy"))
    except Exception:
        return None
    return as_arrays(value, task.outputs)


def show_inputs(task: FunctionTask, arguments: tuple) -> str:
    """The arguments as lines `name = value`, short."""
    lines = []
    for name, argument in zip(task.arguments, arguments, strict=False):
        if isinstance(argument, Draws):
            text = f"np.random.default_rng({argument.seed})"
        else:
            text = show(argument)
        lines.append(f"{name} = {text}".replace("\n", "\n" + " " * (len(name) + 3)))
    return "\n".join(lines)


_IDLE = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"}


def _is_stub(function: Any) -> bool:
    """True for a body that does nothing: a docstring, `...`, `pass`, `return None`."""
    if not isinstance(function, types.FunctionType):
        return False
    constants = [c for c in function.__code__.co_consts if c != function.__doc__]
    return all(c is None or c is ... for c in constants) and all(
        step.opname in _IDLE for step in dis.get_instructions(function)
    )


def _has_ellipsis(value: Any) -> bool:
    return value is ... or (
        isinstance(value, tuple | list) and any(item is ... for item in value)
    )


# --- values ------------------------------------------------------------------------


def _grade_values(task: ValueTask, answers: tuple) -> Result:
    names = ", ".join(task.outputs)
    usage = f'check("{task.id}", {names})'
    if len(answers) != len(task.outputs):
        return _result(
            task,
            "not checked",
            f"This task takes {len(task.outputs)} answers ({names}), "
            f"got {len(answers)}. Call `{usage}`.",
        )
    missing = [
        name
        for name, answer in zip(task.outputs, answers, strict=True)
        if answer is None or _has_ellipsis(answer)
    ]
    if len(missing) == len(answers):
        return _not_attempted(task)
    if missing:
        return _result(
            task, "not attempted", f"Still to do: {', '.join(missing)}. Then run again."
        )
    for name, answer in zip(task.outputs, answers, strict=True):
        if callable(answer):
            return _result(
                task,
                "not checked",
                f"`{name}` should be a value, got {_a(answer)}. Call `{usage}`.",
            )
    right = [
        _value_equal(task, given, wanted)
        for given, wanted in zip(answers, task.reference, strict=True)
    ]
    if all(right):
        return _result(task, "right")
    first = right.index(False)
    hint = diagnose_values(task, answers)
    message = f"`{task.outputs[first]}` is not right yet."
    if not hint and not _same_form(answers[first], task.reference[first]):
        message += (
            f" Expected {_form(task.reference[first])}, got {_a(answers[first])}."
        )
    return _result(
        task,
        "not yet",
        message,
        evidence=((f"Your {task.outputs[first]}", _short(answers[first])),),
        hint=hint.hint if hint else "",
    )


def diagnose_values(task: ValueTask, answers: tuple) -> Wrong | None:
    """The first known mistake whose values the answers are."""
    for wrong in task.wrong:
        if all(
            entry is ANYTHING or _value_equal(task, given, entry)
            for given, entry in zip(answers, wrong.answer, strict=True)
        ):
            return wrong
    return None


def _value_equal(task: ValueTask, given: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return isinstance(given, str) and (
            given.strip().casefold() == wanted.strip().casefold()
        )
    given, wanted = _numeric(given), _numeric(wanted)
    return (
        given is not None
        and given.shape == wanted.shape
        and bool(np.allclose(given, wanted, task.rtol, task.atol, equal_nan=True))
    )


def _numeric(value: Any) -> np.ndarray | None:
    """Numbers of any kind, fractions too; None for anything else."""
    if isinstance(value, bool | str | bytes | dict | set):
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    try:
        array = np.asarray(value, dtype=float)
    except Exception:
        return None
    return array.squeeze() if array.size == 1 else array


def _same_form(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return isinstance(given, str)
    number = _numeric(given)
    return number is not None and number.shape == _numeric(wanted).shape


def _form(wanted: Any) -> str:
    if isinstance(wanted, str):
        return "a word in quotes"
    size = math.prod(_numeric(wanted).shape)
    return "one number" if size == 1 else f"{size} numbers"


def _a(value: Any) -> str:
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType):
        return f"the function `{value.__name__}`"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # an object of the learner's own
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else text[:200] + " …"
