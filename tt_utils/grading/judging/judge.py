"""Says what the first failure of an answer teaches. It runs no learner's code."""

from dataclasses import replace
from typing import Any

from tt_utils.grading.judging.compare import agree, difference, show, wanted_form
from tt_utils.grading.judging.diagnosis import diagnose
from tt_utils.grading.judging.exceptions import help_with
from tt_utils.grading.judging.known_answers import expected, for_one_without
from tt_utils.grading.observing.attempt import fresh
from tt_utils.grading.observing.limits import WAITING
from tt_utils.grading.observing.observation import Draws, Observation, Observed
from tt_utils.grading.reporting.result import Result, Rung, earned
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import FunctionTask, Task, TrainingTask

INPUTS_KEPT = "leaves what it was given as it was"


def result(task: Task, verdict: str, message: str = "", **more: Any) -> Result:
    return Result(
        heading=f"{task.id} {task.title}",
        verdict=verdict,
        message=message,
        out_of=task.points,
        **more,
    )


def not_attempted(task: Task, where: str = "") -> Result:
    return result(
        task,
        "not attempted",
        f"Replace the `...`{where} with your answer, then run again.",
        more_hints=task.hints,
    )


def read_again(task: Task) -> str:
    """Words for the section, "" for a task that names none, as a teacher's own may."""
    number = task.page.partition("_")[0] or task.id[:2]
    return f"chapter {number}, “{task.section}”" if task.section else ""


def judge(
    task: FunctionTask, seed: int, observed: Observed, explain: bool = True
) -> Result:
    """Points for every check passed, and for the first that is not the reason.

    Without `explain` no mistake is looked for, which is what takes the time.
    """
    no_answer = refused(task, observed)
    if no_answer is not None:
        return no_answer
    failures = [
        _failure(task, seed, number, call) for number, call in enumerate(observed.calls)
    ]
    failing = [n for n, failure in enumerate(failures) if failure is not None]
    if not failing:
        return _after_values(task, seed, observed)
    rungs = _rungs(task, [failure is None for failure in failures])
    # What is written is compared with right answers to it alone.
    unwritten = _unwritten(observed)
    theirs = for_one_without(task, unwritten)
    own = [n for n in failing if not _excused(theirs, seed, n, observed.calls[n])]
    if not own:
        left = _names(task, unwritten)
        return replace(not_attempted(task, left), points=earned(rungs), rungs=rungs)
    first = own[0]
    failure, call, check = failures[first], observed.calls[first], task.checks[first]
    assert failure is not None
    is_open = explain and not call.stopped
    found = diagnose(theirs, seed, observed.calls, first) if is_open else ()
    hints = tuple(mistake.hint for mistake in found) or failure.hints
    if unwritten:
        failure = failure.with_note(f"Still to write:{_names(task, unwritten)[3:]}.")
    return replace(
        failure,
        message=f"Check {first + 1} of {len(rungs)} fails: {check.title}. "
        f"{failure.message}",
        points=earned(rungs),
        rungs=rungs,
        hints=hints,
        mistakes=tuple(mistake.name for mistake in found),
        more_hints=task.hints,
        section=read_again(task),
        printed=call.printed,
        inputs=named_inputs(task, seed, first),
    )


def refused(task: FunctionTask | TrainingTask, observed: Observed) -> Result | None:
    """What was handed in is no answer at all, or None if it may be one."""
    usage = f'check("{task.id}", {", ".join(task.answers)})'
    if len(observed.answers) != len(task.answers):
        wanted = len(task.answers)
        return result(
            task,
            "not checked",
            f"This task takes {'one answer' if wanted == 1 else f'{wanted} answers'}, "
            f"got {len(observed.answers)}. Call `{usage}`.",
        )
    kinds = {answer.kind for answer in observed.answers}
    if kinds & {"nothing", "unfinished"} or kinds == {"stub"}:
        return not_attempted(task, _names(task, _unwritten(observed)))
    for name, answer in zip(task.answers, observed.answers, strict=True):
        # A class is asked for, and an object that it made can be called, too.
        is_made = f"class {name}(" in task.right[0] and not answer.form.startswith(
            ("the class ", "the function ", "a function", "a method", "a partial")
        )
        if answer.kind == "value" or is_made:
            return result(
                task,
                "not checked",
                f"Expected `{name}` itself, got {answer.form}. Pass its name without "
                f"brackets: `{usage}`.",
            )
    return None


def _unwritten(observed: Observed) -> tuple[int, ...]:
    """Positions of the answers that are left to fill in."""
    empty = ("nothing", "unfinished", "stub")
    return tuple(n for n, one in enumerate(observed.answers) if one.kind in empty)


def _names(task: FunctionTask | TrainingTask, positions: tuple[int, ...]) -> str:
    """Where something is left to fill in, as words; "" where nothing is."""
    names = [f"`{task.answers[n]}`" for n in positions]
    return f" in {' and '.join(names)}" if names else ""


def _excused(task: FunctionTask, seed: int, number: int, call: Observation) -> bool:
    """Does a right answer fare no better, while others are not written yet?"""
    if not task.unwritten:
        return False
    if call.raised is not None and not call.raised.line:
        return True
    if any(value.kind in ("nothing", "unfinished") for value in call.values):
        return True
    return agree(expected(task, seed, number), call, task.rtol, task.atol)


def _rungs(task: FunctionTask, values: list[bool], after: int = 0) -> tuple[Rung, ...]:
    """All checks with their outcome; the laws come after the values.

    `after` counts how many of the last ones passed; the next one failed.
    """
    states: list[bool | None] = [*values]
    states += [None] * (len(task.checks) - len(values))
    last = [law.title for law in task.laws] + [INPUTS_KEPT]
    if all(states):
        states += [n < after if n <= after else None for n in range(len(last))]
    else:
        states += [None] * len(last)
    titles = [(check.title, check.earns) for check in task.checks]
    titles += [(title, True) for title in last]
    return tuple(
        Rung(title, state, earns)
        for (title, earns), state in zip(titles, states, strict=True)
    )


def _failure(
    task: FunctionTask, seed: int, number: int, call: Observation
) -> Result | None:
    """Why this call fails, or None if its values are right."""
    if call.stopped:
        return result(task, "not yet", stopped(task, call))
    if call.raised is not None:
        return _raised(task, seed, number, call)
    lacking = missing(task.outputs_of(number), call)
    if lacking:
        return result(task, "not yet", lacking)
    right = expected(task, seed, number).values
    unreadable = next((v for v in call.values if v.kind == "unreadable"), None)
    if unreadable is not None:
        wanted = wanted_form(right[call.values.index(unreadable)])
        return result(
            task,
            "not yet",
            f"Expected {wanted}, got {unreadable.form}. "
            "Which line turned them into something else?",
        )
    # Tasks name a result before what it was made from, and there the mistake is nearer.
    order = slice(None) if task.kind == "explain" else slice(None, None, -1)
    columns = (task.outputs_of(number), right, call.values)
    names, right, got = (column[order] for column in columns)
    found = difference(names, right, got, task.rtol, task.atol)
    if found is None:
        return None
    sides = [("Got", found.got)]
    if task.kind != "explain":  # where the right value is the claim
        sides.insert(0, ("Expected", found.expected))
    inputs = show_inputs(task, seed, number)
    evidence = (inputs, *(side for side in sides if side[1]))
    hints = (found.question,) if found.question else ()
    return result(task, "not yet", found.sentence, evidence=evidence, hints=hints)


def stopped(task: Task, call: Observation) -> str:
    less = "less" if isinstance(task, TrainingTask) else "less than one"
    return {
        "time": f"It was stopped after {task.seconds:.0f} seconds of computing; a "
        f"right answer needs {less}. Does something in it never end?",
        "waiting": f"It was stopped after {WAITING * task.seconds:.0f} seconds by the "
        "clock, most of which it did not compute. Does it wait for something, such as "
        "`sleep` or a lock? On a very busy machine, simply try again.",
        "ended": "It brought the process in which it ran to an end: by a crash, by all "
        "memory taken, or by `os._exit`.",
        "stuck": "It ran too long, could not be stopped and is still running. Restart "
        "the kernel (menu Kernel, or Runtime on Colab) before you go on.",
    }[call.stopped]


def _raised(task: FunctionTask, seed: int, number: int, call: Observation) -> Result:
    raised = call.raised
    assert raised is not None
    what = f"{raised.name}: {raised.text}" if raised.text else raised.name
    evidence = [show_inputs(task, seed, number)]
    if raised.line:
        evidence.insert(0, ("Your line", raised.line))
        message = f"Your function raised {what.rstrip('.')}."
    else:
        message = f"{_asked(task, seed, number)} failed with {what.rstrip('.')}."
    words = help_with(raised)
    return result(
        task,
        "not yet",
        message,
        evidence=tuple(evidence),
        hints=(words,) if words else (),
    )


def _asked(task: FunctionTask, seed: int, number: int) -> str:
    """The call in words; of several answers no one can say which was to blame."""
    if len(task.answers) > 1:
        return "It"
    given = len(requests(task, seed)[number].arguments)
    arguments = ", ".join(task.arguments_of(number)[:given])
    return f"The call `{task.answers[0]}({arguments})`"


def missing(outputs: tuple[str, ...], call: Observation) -> str:
    """What is wrong with the number of results, "" if nothing is."""
    wanted = f"({', '.join(outputs)})"
    if len(call.values) == 1 and call.values[0].kind == "nothing":
        return (
            "Your function returned None. Does it end with a `return`? (What "
            "`x.sort()`, `x.append(y)` and the like give back is None.)"
        )
    if any(value.kind == "unfinished" for value in call.values):
        return "Your function still returns a `...`: something is left to fill in."
    if call.one_thing:
        return (
            f"Your function returned one thing, {call.values[0].form}; "
            f"expected {len(outputs)} results, {wanted}."
        )
    if len(call.values) != len(outputs):
        return (
            f"Your function returned {len(call.values)} results; "
            f"expected {len(outputs)}, {wanted}."
        )
    return ""


def _after_values(task: FunctionTask, seed: int, observed: Observed) -> Result:
    """All values are right; what can still be wrong."""
    calls = observed.calls
    printed = next((call.printed for call in reversed(calls) if call.printed), "")
    values = [True] * len(calls)
    arrays = [
        {n: v.array for n, v in zip(task.outputs_of(number), call.values, strict=True)}
        | {"drawn": call.drawn}
        for number, call in enumerate(calls)
    ]
    for number, law in enumerate(task.laws):
        if not law.holds(arrays):
            rungs = _rungs(task, values, number)
            return result(
                task,
                "not yet",
                f"The values are right, but one thing is not so: {law.title}.",
                points=earned(rungs),
                rungs=rungs,
                hints=(law.hint,),
                more_hints=task.hints,
                printed=printed,
            )
    changed = next((n for n, call in enumerate(calls) if call.changed), None)
    if changed is not None:
        rungs = _rungs(task, values, len(task.laws))
        names = dict(enumerate(task.arguments_of(changed)))
        theirs = [f"`{names.get(i, 'inputs')}`" for i in calls[changed].changed]
        inputs = named_inputs(task, seed, changed)
        has_mode = any(hasattr(value, "training") for value in inputs.values())
        return result(
            task,
            "not yet",
            f"The values are right, but your function changed its input "
            f"{' and '.join(theirs)}. Whoever called it still needs that.",
            points=earned(rungs),
            rungs=rungs,
            hints=(
                "Does it go back in the mode, training or evaluation, in which it came?"
                if has_mode
                else "Which line writes into something that it was given?",
            ),
            printed=printed,
            inputs=inputs,
        )
    listed = any(
        value.form == "a list" and right.form != "a list"
        for number, call in enumerate(calls)
        for value, right in zip(
            call.values, expected(task, seed, number).values, strict=True
        )
    )
    return result(
        task,
        "right",
        points=task.points,
        rungs=_rungs(task, values, len(task.laws) + 1),
        why=task.why,
        note="Accepted as it is; an array would suit the code that comes next better."
        if listed
        else "",
        printed=printed,
    )


def named_inputs(task: FunctionTask, seed: int, number: int) -> dict[str, Any]:
    """Fresh arguments of one check by name, as the learner's function got them."""
    arguments = fresh(requests(task, seed)[number].arguments, task.arrays)
    return dict(zip(task.arguments_of(number), arguments, strict=False))


def show_inputs(task: FunctionTask, seed: int, number: int) -> tuple[str, str]:
    """A label, and the arguments as lines `name = value`, short."""
    lines = []
    arguments = requests(task, seed)[number].arguments
    names = task.arguments_of(number)
    for name, argument in zip(names, arguments, strict=False):
        if isinstance(argument, Draws):
            text = f"np.random.default_rng({argument.seed})"
        else:
            text = show(argument)
        lines.append(f"{name} = {text}".replace("\n", "\n" + " " * (len(name) + 3)))
    return "Inputs, also in .inputs of this result", "\n".join(lines)
