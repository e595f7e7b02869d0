"""16.1 What must be in a checkpoint, so that a training goes on as if never stopped."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

DICTS = """
def save(trainer):
    from copy import deepcopy

    parts = {
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "random": trainer.generator.get_state(),
        "order": trainer.order,
        "steps": trainer.steps,
    }
    return deepcopy(parts)

def load(trainer, saved):
    from copy import deepcopy

    parts = deepcopy(saved)
    trainer.model.load_state_dict(parts["model"])
    trainer.optimizer.load_state_dict(parts["optimizer"])
    trainer.generator.set_state(parts["random"])
    trainer.order = parts["order"]
    trainer.steps = parts["steps"]
"""

BYTES = """
def save(trainer):
    import io

    file = io.BytesIO()
    states = [trainer.model.state_dict(), trainer.optimizer.state_dict()]
    place = (trainer.order, trainer.steps)
    torch.save((states, place, trainer.generator.get_state()), file)
    return file.getvalue()

def load(trainer, saved):
    import io

    (model, optimizer), place, state = torch.load(io.BytesIO(saved))
    trainer.model.load_state_dict(model)
    trainer.optimizer.load_state_dict(optimizer)
    trainer.order, trainer.steps = place
    trainer.generator.set_state(state)
"""

BY_HAND = """
def save(trainer):
    weights = [p.detach().clone() for p in trainer.model.parameters()]
    moments = [
        {name: x.clone() for name, x in trainer.optimizer.state.get(p, {}).items()}
        for p in trainer.model.parameters()
    ]
    return (
        weights,
        moments,
        trainer.generator.get_state().clone(),
        tuple(trainer.order),
        trainer.steps,
    )

def load(trainer, saved):
    weights, moments, state, order, steps = saved
    for p, weight, named in zip(trainer.model.parameters(), weights, moments):
        p.data.copy_(weight)
        if named:
            trainer.optimizer.state[p] = {name: x.clone() for name, x in named.items()}
    trainer.generator.set_state(state)
    trainer.order = list(order)
    trainer.steps = steps
"""

MISTAKES = """
weights alone: trainer.optimizer.load_state_dict(parts["optimizer"]) → pass
and: trainer.generator.set_state(parts["random"]) → pass
and: trainer.order = parts["order"] → pass
and: trainer.steps = parts["steps"] → pass
or: trainer.optimizer.load_state_dict(optimizer) → pass
and: trainer.order, trainer.steps = place → pass
and: trainer.generator.set_state(state) → pass
    The weights come back and nothing else does. Look at `step` in the trainer: what
    else does it read that a step before has changed?

weights forgotten: trainer.model.load_state_dict(parts["model"]) → pass
or: trainer.model.load_state_dict(model) → pass
or: p.data.copy_(weight) → pass
    The resumed training starts from other weights. Where do those of the stopped one go?

optimizer's state forgotten: trainer.optimizer.load_state_dict(parts["optimizer"]) → pass
or: trainer.optimizer.load_state_dict(optimizer) → pass
or: trainer.optimizer.state[p] = {name: x.clone() for name, x in named.items()} → pass
    With plain SGD yours goes on as it should, with Adam it doesn't. Which averages does
    Adam carry from step to step?

optimizer's step count forgotten: trainer.optimizer.load_state_dict(parts["optimizer"]) → trainer.optimizer.load_state_dict(parts["optimizer"])\\n    for x in trainer.optimizer.state.values():\\n        x.get("step", torch.zeros(())).zero_()
or: {name: x.clone() for name, x in named.items()} → {name: x * (name != "step") for name, x in named.items()}
    Both averages of Adam come back, its count of steps doesn't. For which correction
    does Adam need it?

random state forgotten: trainer.generator.set_state(parts["random"]) → pass
or: trainer.generator.set_state(state) → pass
    Without randomness yours goes on as it should. What draws the noise and the order of
    the next epoch?

generator seeded anew: trainer.generator.set_state(parts["random"]) → trainer.generator.manual_seed(0)
or: trainer.generator.set_state(state) → trainer.generator.manual_seed(0)
or: trainer.generator.set_state(parts["random"]) → trainer.generator.manual_seed(parts["steps"])
or: "random": trainer.generator.get_state() → "random": trainer.generator.initial_seed()
and: trainer.generator.set_state(parts["random"]) → trainer.generator.manual_seed(parts["random"])
    You gave the generator a seed, so its numbers begin from the start. How far along was
    it when the training stopped?

place in the data forgotten: trainer.order = parts["order"] → pass
or: trainer.order, trainer.steps = place → _, trainer.steps = place
or: trainer.order = list(order) → pass
    The resumed training reads other rows. Which rows of the epoch were left when it
    stopped?

epoch started anew: trainer.order = parts["order"] → trainer.order = []
or: trainer.order, trainer.steps = place → trainer.order, trainer.steps = [], place[1]
or: trainer.order = list(order) → trainer.order = []
    You begin a new epoch after the stop. Some rows of the old one were never read: which
    attribute knows them?

order turned around: trainer.order = parts["order"] → trainer.order = parts["order"][::-1]
or: trainer.order, trainer.steps = place → trainer.order, trainer.steps = place[0][::-1], place[1]
or: trainer.order = list(order) → trainer.order = list(order)[::-1]
    The right rows are left, and they are read the wrong way round. From which end does
    the trainer take the next one?

order sorted: trainer.order = parts["order"] → trainer.order = sorted(parts["order"])
or: tuple(trainer.order) → tuple(sorted(trainer.order))
    The right rows are left, in another order than the one that was drawn. May a
    checkpoint change it?

count of steps forgotten: trainer.steps = parts["steps"] → pass
or: trainer.order, trainer.steps = place → trainer.order, _ = place
or: trainer.steps = steps → pass
    Where the rate falls with the steps, yours starts high once more. What does the
    trainer read to know the rate?

one step too many: trainer.steps = parts["steps"] → trainer.steps = parts["steps"] + 1
or: trainer.order, trainer.steps = place → trainer.order, trainer.steps = place[0], place[1] + 1
or: trainer.steps = steps → trainer.steps = steps + 1
    Your rate is one step ahead. Does `steps` count those that were taken, or the number
    of the next?

saved by reference: return deepcopy(parts) → return parts
    What you saved moves on with the training. When the first trainer goes on after the
    save, whose tensors does it change?

saved in a flat copy: return deepcopy(parts) → return {name: part.copy() if hasattr(part, "copy") else part for name, part in parts.items()}
or: p.detach().clone() for → p.detach() for
    You copied the boxes and not the tensors in them, which the training changes in
    place. How deep must the copy go?

moments saved by reference: return deepcopy(parts) → return {**deepcopy(parts), "optimizer": trainer.optimizer.state_dict()}
or: {name: x.clone() for name, x in trainer.optimizer.state.get(p, {}).items()} → trainer.optimizer.state.get(p, {})
    The optimizer's tensors are changed in place as the training goes on, and so is what
    you saved of them. What is missing?

loaded by reference: parts = deepcopy(saved) → parts = saved
or: {name: x.clone() for name, x in named.items()} → named
    The first resume is right, a second one from the same checkpoint is not. Which of its
    tensors or lists did the first one go on using?

order loaded by reference: parts = deepcopy(saved) → parts = {**deepcopy(saved), "order": saved["order"]}
    The first resume takes its rows out of the very list in the checkpoint. What does a
    second one find there?

order saved by reference: return deepcopy(parts) → return {**deepcopy(parts), "order": trainer.order}
or: tuple(trainer.order) → trainer.order
    The list of rows goes on getting shorter after you saved it. Whose list is it?

zeros as weights: trainer.model.load_state_dict(parts["model"]) → trainer.model.load_state_dict({name: 0 * x for name, x in parts["model"].items()})
or: p.data.copy_(weight) → p.data.zero_()
    Your resumed model holds zeros. Which tensors should its parameters get?

optimizer and model apart: trainer.model.load_state_dict(parts["model"]) → trainer.model = deepcopy(trainer.model)\\n    trainer.model.load_state_dict(parts["model"])
or: trainer.model.load_state_dict(model) → new = nn.Linear(trainer.model.in_features, 1, bias=False)\\n    new.load_state_dict(model)\\n    trainer.model = new
or: "optimizer": trainer.optimizer.state_dict() → "optimizer": trainer.optimizer
and: trainer.optimizer.load_state_dict(parts["optimizer"]) → trainer.optimizer = parts["optimizer"]
    The trainer's optimizer steps on the parameters of another model than the trainer's,
    so its steps change nothing that you see. Which of the two did you put in anew?

nothing loaded: trainer.model.load_state_dict(parts["model"]) → pass
and: trainer.optimizer.load_state_dict(parts["optimizer"]) → pass
and: trainer.generator.set_state(parts["random"]) → pass
and: trainer.order = parts["order"] → pass
and: trainer.steps = parts["steps"] → pass
    The trainer goes on as if `load` had done nothing. Which line of it changes that very
    trainer, and not only what a name of yours stands for?

an empty order left out: trainer.order = parts["order"] → trainer.order = parts["order"] or trainer.order
or: trainer.order = list(order) → trainer.order = list(order) or trainer.order
    Stopped in the middle of an epoch yours goes on as it should, stopped at its end it
    doesn't. What does `order` hold then, and what that of the other trainer?

a step taken by the save: def save(trainer):\\n    from → def save(trainer):\\n    trainer.step()\\n    from
or: def save(trainer):\\n    import → def save(trainer):\\n    trainer.step()\\n    import
    Your checkpoint is one step further than the training was. Which line takes a step?

taken out of the checkpoint: trainer.order = parts["order"] → trainer.order = saved.pop("order")
or: trainer.steps = parts["steps"] → trainer.steps = saved.pop("steps")
or: trainer.model.load_state_dict(parts["model"]) → trainer.model.load_state_dict(saved.pop("model"))
or: trainer.optimizer.load_state_dict(parts["optimizer"]) → trainer.optimizer.load_state_dict(saved.pop("optimizer"))
    The first resume finds all that it needs, a second one from the same checkpoint
    doesn't. Which call takes an entry out of it?

weights loaded by reference: trainer.model.load_state_dict(parts["model"]) → trainer.model.weight.data = saved["model"]["weight"]
or: p.data.copy_(weight) → p.data = weight
    The first resume trains the very weights that lie in the checkpoint. What does a
    second one find there?

generator itself saved: return deepcopy(parts) → return {**deepcopy(parts), "random": trainer.generator}
and: trainer.generator.set_state(parts["random"]) → trainer.generator = saved["random"]
or: return deepcopy(parts) → return {**deepcopy(parts), "random": trainer.generator}
and: trainer.generator.set_state(parts["random"]) → trainer.generator.set_state(parts["random"].get_state())
    The generator itself lies in your checkpoint, and goes on drawing with a training. What
    of it stays as it was when you saved?

objects saved instead of copies: return deepcopy(parts) → return {**parts, "random": trainer.generator}
and: trainer.generator.set_state(parts["random"]) → trainer.generator.set_state(parts["random"].get_state())
    What you saved are the trainer's own tensors, list and generator, and they go on with
    the training. When must the copies be made?
"""


def trainer_class() -> type:
    """The trainer of the exercise. PyTorch is imported where it is needed."""
    import torch

    class Trainer:
        def __init__(self, x, y, seed, adam=True, noise=0.5, falling=True):
            self.x, self.y, self.noise, self.falling = x, y, noise, falling
            self.generator = torch.Generator().manual_seed(seed)
            self.model = torch.nn.Linear(x.shape[1], 1, bias=False)
            start = torch.randn(self.model.weight.shape, generator=self.generator)
            self.model.weight.data = start
            kind = torch.optim.Adam if adam else torch.optim.SGD
            self.optimizer = kind(self.model.parameters(), lr=0.05)
            self.order, self.steps = [], 0

        def step(self):
            if not self.order:  # a new epoch
                rows = torch.randperm(len(self.x), generator=self.generator)
                self.order = rows.tolist()
            row = self.order.pop()
            if self.falling:
                self.optimizer.param_groups[0]["lr"] = 0.2 / (1 + self.steps)
            noise = torch.randn(self.x[row].shape, generator=self.generator)
            out = self.model(self.x[row] + self.noise * noise)
            loss = (out - self.y[row]).square().sum()
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.steps += 1
            return loss.item()

    return Trainer


def run(x: Any, y: Any, seed: int, options: dict) -> Any:
    return trainer_class()(x, y, seed, **options)


def resumed(number: int, goes_on: int = 0) -> Callable:
    """The losses after the last of so many resumes from one checkpoint.

    `goes_on` is how many steps the first training takes after it was saved.
    """

    def resumed_so_often(answers: tuple, x, y, before, after, options) -> Any:
        save, load = answers
        first = run(x, y, 1, options)
        for _ in range(before):
            first.step()
        saved = save(first)
        for _ in range(goes_on):
            first.step()
        losses: list[float] = []
        for again in range(number):
            other = run(x, y, 2 + again, options)
            other.step()  # so that nothing in it is empty
            load(other, saved)
            losses = [other.step() for _ in range(after)]
        return losses

    return resumed_so_often


def stopped(before: int, after: int, rows: int = 5, **options: Any) -> Callable:
    plain = {"adam": False, "noise": 0.0, "falling": False}

    def inputs(rng: np.random.Generator) -> tuple:
        x, y = rng.normal(size=(rows, 3)).round(1), rng.normal(size=(rows, 1)).round(1)
        return x, y, before, after, plain | options

    return inputs


EVERYTHING = {"adam": True, "noise": 0.5, "falling": True}

TASK = FunctionTask(
    title="Stopped, and resumed",
    kind="implement",
    answers=("save", "load"),
    arguments=("x", "y", "before", "after", "options"),
    outputs=("losses",),
    arrays="torch",
    rtol=1e-4,
    atol=1e-6,
    right=(DICTS, BYTES, BY_HAND),
    mistakes=MISTAKES,
    pairs=False,  # every run is a training
    checks=tuple(
        Check(title, inputs, probe=probe)
        for title, inputs, probe in (
            ("stopped after three of five rows", stopped(3, 2), resumed(1)),
            ("the rate falls with the steps", stopped(3, 2, falling=True), resumed(1)),
            ("Adam", stopped(3, 2, adam=True), resumed(1)),
            ("noise", stopped(3, 2, noise=0.5), resumed(1)),
            ("stopped at the end of an epoch", stopped(5, 4), resumed(1)),
            ("everything at once", stopped(6, 5, **EVERYTHING), resumed(1)),
            (
                "the first training goes on after it was saved",
                stopped(3, 4, **EVERYTHING),
                resumed(1, goes_on=1),
            ),
            (
                "two resumes from one checkpoint",
                stopped(3, 4, **EVERYTHING),
                resumed(2),
            ),
        )
    ),
    hints=(
        "Go through the trainer's `step` line by line: which values does it read that "
        "an earlier step has changed? Each of them belongs in the checkpoint.",
        "If all comes back and it is still wrong: does the checkpoint hold copies, or the "
        "very tensors and lists that a training goes on changing?",
    ),
    section="Killed, and resumed",
    why="Weights, the optimizer's state, the random state, the place in the data and the "
    "count of steps, all copied: with less than that it is another training.",
)
