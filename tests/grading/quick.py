"""Grades answers that are known to be harmless, without a process of their own."""

import linecache
import math

import numpy as np
import torch
from answers import collected as collected

from tt_utils.grading import tasks
from tt_utils.grading.judging.judge import judge
from tt_utils.grading.observing.attempt import attempt, handed
from tt_utils.grading.observing.observation import Observed
from tt_utils.grading.tasks import own_tasks
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import FunctionTask, TrainingTask, ValueTask

ALL = [
    task for number in tasks.chapters() for task in tasks.of_chapter(number).values()
]
OWN = {n for folder in own_tasks.folders() for n, _ in tasks.chapter_folders(folder)}
BOOK = [task for task in ALL if task.id[:2] not in OWN]  # they have notebooks
FUNCTIONS = [task for task in ALL if isinstance(task, FunctionTask)]
TRAININGS = [task for task in ALL if isinstance(task, TrainingTask)]
VALUES = [task for task in ALL if isinstance(task, ValueTask)]


def grade_here(task, answers, seed=0):
    """What `grade` says of functions, run in this very process."""
    with np.errstate(all="ignore"):
        calls = tuple(attempt(answers, request) for request in requests(task, seed))
    return judge(task, seed, Observed(tuple(map(handed, answers)), calls))


def defined_by(task, source):
    """The task's answers as a cell of a notebook defines them."""
    name = f"<cell {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {"np": np, "math": math, "torch": torch, "nn": torch.nn}
    names["F"] = torch.nn.functional
    exec(compile(source, name, "exec"), names)
    return tuple(names[answer] for answer in task.answers)
