"""Judges what a trained answer has written: how many sentences are without a fault."""

from typing import Any

from tt_utils.grading.judging.exceptions import help_with
from tt_utils.grading.judging.judge import (
    missing,
    read_again,
    refused,
    result,
    stopped,
)
from tt_utils.grading.observing.observation import Observation, Observed
from tt_utils.grading.reporting.result import Result, Rung, earned
from tt_utils.grading.tasks.spec import TrainingTask

SHOWN = 3  # sentences that are wrong


def judge_training(task: TrainingTask, seed: int, observed: Observed) -> Result:
    """A point for each share of right sentences that is reached."""
    no_answer = refused(task, observed)
    if no_answer is not None:
        return no_answer
    (call,) = observed.calls
    _, texts, right = task.case(seed)
    if call.raised is not None:
        return not_yet(task, call, **raised(call))
    if problem := unreadable(task, call, len(texts)):
        return not_yet(task, call, message=problem)
    written = sentences(call)
    equal = [one == other for one, other in zip(written, right, strict=True)]
    share = sum(equal) / len(equal)
    rungs = tuple(
        Rung(f"{least:.0%} of the unseen sentences without a fault", share >= least)
        for least in task.shares
    )
    counted = f"{sum(equal)} of {len(equal)} unseen sentences are without a fault"
    if share >= max(task.shares):
        return result(
            task,
            "right",
            f"{counted}.",
            points=task.points,
            rungs=rungs,
            why=task.why,
            printed=call.printed,
        )
    wrong = [n for n, same in enumerate(equal) if not same][:SHOWN]
    shown = [one for one in task.symptoms if one.shows(texts, right, written)][:1]
    return not_yet(
        task,
        call,
        message=f"{counted}; {max(task.shares):.0%} are asked for.",
        points=earned(rungs),
        rungs=rungs,
        evidence=tuple(
            (texts[n], f"expected: {right[n]}\ngot:      {written[n]}") for n in wrong
        ),
        hints=tuple(one.hint for one in shown),
        mistakes=tuple(one.name for one in shown),
    )


def not_yet(task: TrainingTask, call: Observation, **more: Any) -> Result:
    usual = {
        "more_hints": task.hints,
        "section": read_again(task),
        "printed": call.printed,
    }
    return result(task, "not yet", **usual | more)


def raised(call: Observation) -> dict[str, Any]:
    error = call.raised
    assert error is not None
    what = f"{error.name}: {error.text}" if error.text else error.name
    words = help_with(error)
    return {
        "message": f"Your function raised {what.rstrip('.')}.",
        "evidence": (("Your line", error.line),) if error.line else (),
        "hints": (words,) if words else (),
    }


def unreadable(task: TrainingTask, call: Observation, count: int) -> str:
    """Why what came back is no list of so many sentences, "" if it is one."""
    if call.stopped:
        return stopped(task, call)
    if problem := missing(task.outputs, call):
        return problem
    value, wanted = call.values[0], f"a list of {count} texts, one a sentence"
    if value.kind != "data" or not isinstance(value.data, list):
        return f"Expected {wanted}; got {value.form}."
    if len(value.data) != count:
        return f"Expected {wanted}; yours has {len(value.data)}."
    if not all(isinstance(text, str) for text in value.data):
        return f"Expected {wanted}; something in yours is no text."
    return ""


def sentences(call: Observation) -> list[str]:
    """What was written; how many blanks stand between words doesn't matter."""
    return [" ".join(text.split()) for text in call.values[0].data]
