"""Says what the first failure of an answer teaches. It runs no learner's code."""

from dataclasses import replace
from typing import Any

from tt_utils.grading.attempt import Draws, Observation, fresh
from tt_utils.grading.compare import difference, show, wanted_form
from tt_utils.grading.diagnosis import diagnose
from tt_utils.grading.exceptions import help_with
from tt_utils.grading.in_thread import WAITING
from tt_utils.grading.observe import SECONDS, Observed
from tt_utils.grading.report import Result, Rung, earned
from tt_utils.grading.spec import FunctionTask, Task
from tt_utils.grading.twins import expected, requests

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
    return f"chapter {task.id[:2]}, “{task.section}”" if task.section else ""


def judge(task: FunctionTask, seed: int, observed: Observed) -> Result:
    """Points for every check passed, and for the first that is not the reason."""
    refused = _refused(task, observed)
    if refused is not None:
        return refused
    failures = [
        _failure(task, seed, number, call) for number, call in enumerate(observed.calls)
    ]
    first = next((n for n, f in enumerate(failures) if f is not None), None)
    if first is None:
        return _after_values(task, seed, observed)
    failure = failures[first]
    rungs = _rungs(task, [failure is None for failure in failures])
    call = observed.calls[first]
    unfinished = _stubs(task, observed)
    if unfinished and _came_to_nothing(call):
        return replace(
            not_attempted(task, unfinished), points=earned(rungs), rungs=rungs
        )
    found = () if call.stopped else diagnose(task, seed, observed.calls, first)
    hints = tuple(mistake.hint for mistake in found) or failure.hints
    check = task.checks[first]
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


def _refused(task: FunctionTask, observed: Observed) -> Result | None:
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
        return not_attempted(task, _stubs(task, observed))
    for name, answer in zip(task.answers, observed.answers, strict=True):
        if answer.kind == "value":
            return result(
                task,
                "not checked",
                f"Expected `{name}` itself, got {answer.form}. Pass its name without "
                f"brackets: `{usage}`.",
            )
    return None


def _stubs(task: FunctionTask, observed: Observed) -> str:
    """Where something is left to fill in, as words; "" where nothing is."""
    empty = [
        f"`{name}`"
        for name, answer in zip(task.answers, observed.answers, strict=True)
        if answer.kind in ("nothing", "unfinished", "stub")
    ]
    return f" in {' and '.join(empty)}" if empty else ""


def _came_to_nothing(call: Observation) -> bool:
    """Nothing came back, or it failed in no line of the learner's."""
    if call.raised is not None:
        return not call.raised.line
    return any(value.kind in ("nothing", "unfinished") for value in call.values)


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
        return result(task, "not yet", _stopped(call))
    if call.raised is not None:
        return _raised(task, seed, number, call)
    missing = _missing(task.outputs_of(number), call)
    if missing:
        return result(task, "not yet", missing)
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
    return result(task, "not yet", found.sentence, evidence=evidence)


def _stopped(call: Observation) -> str:
    return {
        "time": f"It was stopped after {SECONDS:.0f} seconds of computing; a right "
        "answer needs less than one. Does something in it never end?",
        "waiting": f"It was stopped after {WAITING * SECONDS:.0f} seconds by the "
        "clock, most of which it did not compute. Does it wait for something, such as "
        "`sleep` or a lock? On a very busy machine, simply try again.",
        "ended": "It brought the process in which it ran to an end: by a crash, by all "
        "memory taken, or by `os._exit`. Your notebook is unharmed.",
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
        given = len(requests(task, seed)[number].arguments)
        arguments = ", ".join(task.arguments_of(number)[:given])
        call_of = f"{task.answers[0]}({arguments})"
        message = f"The call `{call_of}` failed with {what.rstrip('.')}."
    words = help_with(raised)
    return result(
        task,
        "not yet",
        message,
        evidence=tuple(evidence),
        hints=(words,) if words else (),
    )


def _missing(outputs: tuple[str, ...], call: Observation) -> str:
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
        arguments = task.arguments_of(changed)
        names = [f"`{arguments[i]}`" for i in calls[changed].changed]
        inputs = named_inputs(task, seed, changed)
        has_mode = any(hasattr(value, "training") for value in inputs.values())
        return result(
            task,
            "not yet",
            f"The values are right, but your function changed its input "
            f"{' and '.join(names)}. Whoever called it still needs that.",
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
