"""16.3 A step in fp16 whose calls stand in the wrong order."""

from typing import Any

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def amp_step(model, optimizer, scaler, x):
    optimizer.zero_grad()
    loss = model(x)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
"""

CLEARED_LAST = """
def amp_step(model, optimizer, scaler, x):
    scaled = scaler.scale(model(x))
    scaled.backward()
    scaler.unscale_(optimizer)
    grads = [p.grad for p in model.parameters()]
    length = torch.stack([g.square().sum() for g in grads]).sum().sqrt()
    for g in grads:
        g.mul_(min(1.0, 1.0 / float(length)))
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
"""

HIGHER_LIMIT = """
def amp_step(model, optimizer, scaler, x):
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(model(x)).backward()
    limit = 1.0 * scaler.get_scale()
    nn.utils.clip_grad_norm_(model.parameters(), limit)
    scaler.step(optimizer)
    scaler.update()
"""

BY_HAND = """
def amp_step(model, optimizer, scaler, x):
    optimizer.zero_grad()
    scaler.scale(model(x)).backward()
    scale = scaler.get_scale()
    grads = [p.grad for p in model.parameters()]
    if not all(g.isfinite().all() for g in grads):
        scaler.update(scale / 2)
        return
    for g in grads:
        g.div_(scale)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
"""

MISTAKES = """
as planted: scaler.unscale_(optimizer)\\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.step(optimizer) → nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.unscale_(optimizer)\\n    optimizer.step()
    Two calls stand wrong. What has the length 1 when yours clips? And who notices an
    infinite gradient before it reaches the weights?

clipped before unscaling: scaler.unscale_(optimizer)\\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0) → nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.unscale_(optimizer)
or: scaler.unscale_(optimizer)\\n    nn.utils → nn.utils
or: scaler.unscale_(optimizer)\\n    grads = → grads =
or: 1.0 * scaler.get_scale() → 1.0
    Your gradients are a thousand times too long when they are clipped, so nearly all of
    them are cut. When do they have their true length?

step without the scaler: scaler.step(optimizer) → optimizer.step()
and: scaler.unscale_(optimizer) → scaler.unscale_(optimizer)
or: if not all(g.isfinite().all() for g in grads): → if False:
    An infinite gradient reaches the weights, and they are lost. Who would skip such a
    step?

loss not scaled: scaler.scale(loss).backward() → scaler.scale(loss)\\n    loss.backward()
or: scaler.scale(model(x)).backward() → loss = model(x)\\n    scaler.scale(loss)\\n    loss.backward()
    Your gradients are divided by the scale and were never multiplied by it. What is
    scaled before the backward pass?

no scaler at all: scaler.scale(loss).backward() → loss.backward()
and: scaler.unscale_(optimizer) → pass
and: scaler.step(optimizer) → optimizer.step()
and: scaler.update() → pass
    Small gradients are rounded to 0 in fp16. What is the scaler there for?

no clipping: nn.utils.clip_grad_norm_(model.parameters(), 1.0) → pass
or: g.mul_(min(1.0, 1.0 / float(length))) → pass
or: nn.utils.clip_grad_norm_(model.parameters(), limit) → pass
or: clip_grad_norm_(model.parameters(), 1.0) → clip_grad_norm_(model.parameters(), scaler.get_scale())
    A long gradient makes a step as long, so nothing was cut. Is the gradient clipped,
    between which two calls, and to which length?

another measure than the length: (model.parameters(), 1.0) → (model.parameters(), 1.0, norm_type=float("inf"))
or: (model.parameters(), 1.0) → (model.parameters(), 1.0, norm_type=1)
    What becomes 1 in yours is another measure of the gradient than its length. How is the
    length of a vector computed?

limit of the first scale: limit = 1.0 * scaler.get_scale() → limit = 1024.0
    Before an overflow your clipping is right, after it too little is cut. What has the
    overflow changed, and does your limit follow it?

infinite numbers replaced: nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.step(optimizer) → for p in model.parameters():\\n        p.grad = torch.nan_to_num(p.grad, posinf=0.0, neginf=0.0)\\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    optimizer.step()
    In an overflow the numbers that stay finite still move the weights. What should happen
    with the whole of such a step?

updated without a scale: scaler.scale(loss).backward() → loss.backward()
and: scaler.unscale_(optimizer) → pass
and: scaler.step(optimizer) → optimizer.step()
    The scaler is to be updated and has scaled nothing in this step. What is it given
    before the backward pass?

each number clipped: nn.utils.clip_grad_norm_(model.parameters(), 1.0) → nn.utils.clip_grad_value_(model.parameters(), 1.0)
or: g.mul_(min(1.0, 1.0 / float(length))) → g.clamp_(-1.0, 1.0)
    You cut each number by itself, and the gradient turns into another direction. The
    length of what is 1 in the end?

each parameter clipped alone: nn.utils.clip_grad_norm_(model.parameters(), 1.0) → for p in model.parameters():\\n        nn.utils.clip_grad_norm_(p, 1.0)
or: g.mul_(min(1.0, 1.0 / float(length))) → g.mul_(min(1.0, 1.0 / float(g.norm())))
or: nn.utils.clip_grad_norm_(model.parameters(), limit) → for p in model.parameters():\\n        nn.utils.clip_grad_norm_(p, limit)
    You cut the gradient of each parameter by itself. Whose length is to be 1: that of
    one part, or of all of them together?

every gradient made of length 1: min(1.0, 1.0 / float(length)) → 1.0 / float(length)
or: nn.utils.clip_grad_norm_(model.parameters(), 1.0) → for p in model.parameters():\\n        p.grad /= p.grad.norm()
    You stretch short gradients, too. Which ones does clipping leave as they are?

scale never updated: scaler.update() → pass
or: scaler.update(scale / 2) → pass
or: scaler.step(optimizer)\\n → if not all(p.grad.isfinite().all() for p in model.parameters()):\\n        return\\n    scaler.step(optimizer)\\n
    After an overflow the scale stays where it was. Which call halves it, and gets the
    scaler ready for the next step?

updated before the step: scaler.step(optimizer)\\n    scaler.update() → scaler.update()\\n    scaler.step(optimizer)
and: scaler.unscale_(optimizer) → scaler.unscale_(optimizer)
    After `update` the scaler has forgotten that the gradients are divided already. Which
    of the two calls ends a step?

gradients never cleared: optimizer.zero_grad()\\n →  pass\\n
or: optimizer.zero_grad(set_to_none=True) → pass
or: scaler.update()\\n    optimizer.zero_grad() → scaler.update()
    The second step has the gradients of the first one in it. What comes before the next
    `backward`?

cleared after the backward pass: scaler.scale(loss).backward() → scaler.scale(loss).backward()\\n    optimizer.zero_grad()
or: scaled.backward() → scaled.backward()\\n    optimizer.zero_grad()
or: scaler.scale(model(x)).backward() → scaler.scale(model(x)).backward()\\n    optimizer.zero_grad()
    You clear the gradients that you have just made. Where does a step begin?

two steps: scaler.step(optimizer)\\n → scaler.step(optimizer)\\n    optimizer.step()\\n
or: optimizer.step() → optimizer.step()\\n    optimizer.step()
    The optimizer steps twice. Which of the two calls stays?

nothing learned: nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.step(optimizer) → nn.utils.clip_grad_norm_(model.parameters(), 1.0)
or: optimizer.step() → pass
    Your weights stay where they were. Which call takes the step, and are the gradients
    still there when it comes?

unscaled twice: scaler.unscale_(optimizer) → scaler.unscale_(optimizer)\\n    scaler.unscale_(optimizer)
    The scaler refuses to divide the same gradients twice. Which call is one too many?

divided once more: scaler.unscale_(optimizer) → scaler.unscale_(optimizer)\\n    for p in model.parameters():\\n        p.grad /= scaler.get_scale()
or: g.div_(scale) → g.div_(scale * scale)
    Your gradients are divided twice by the scale. What has `unscale_` done already?

never divided: scaler.unscale_(optimizer) → pass
and: scaler.step(optimizer) → optimizer.step()
or: g.div_(scale) → pass
    Your gradients keep the scale until the end, so clipping cuts nearly all of them to
    length 1. Which call divides them?

unscaled after the step: scaler.unscale_(optimizer)\\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.step(optimizer) → nn.utils.clip_grad_norm_(model.parameters(), 1.0)\\n    scaler.step(optimizer)\\n    scaler.unscale_(optimizer)
    The step is over when you divide. Which call needs the true gradients before it?
"""


def in_fp16(answers: tuple, weights: Any, lr: float, batches: list) -> Any:
    """Weights and scale after each step of a model that computes in fp16.

    Its loss is the sum of weight · x, so its gradient is x, as fp16 holds it.
    """
    import torch

    class Half(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Parameter(weights[:1].clone())
            self.rest = torch.nn.Parameter(weights[1:].clone())

        def weights(self):
            return torch.cat((self.first, self.rest))

        def forward(self, x):
            size = x.norm().clamp(max=1)
            # Not x itself where it is short: fp16 would round it to 0.
            return size * (self.weights().half() * (x / size).half()).sum().float()

    model = Half()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    seen, scales = [], []
    for x in batches:
        answers[0](model, optimizer, scaler, x)
        seen.append(model.weights().detach())
        scales.append(scaler.get_scale())
    return torch.stack(seen), scales


OVERFLOWS = 64.0  # times the scale of 1,024 it is more than fp16 holds


def steps(*sizes: float, lr: float = 1.0, width: int = 3):
    """Batches whose gradients have these lengths.

    Of one that overflows the first number does, and the others are short.
    """

    def inputs(rng: np.random.Generator) -> tuple:
        rows = rng.normal(size=(len(sizes), width))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        batches = [size * row for size, row in zip(sizes, rows, strict=True)]
        for batch, size in zip(batches, sizes, strict=True):
            if size > OVERFLOWS:
                batch[:] = [size, *0.003 * batch[1:]]
        return rng.normal(size=width).round(1), lr, batches

    return inputs


TASK = FunctionTask(
    title="A step in the wrong order",
    kind="find the bug",
    answers=("amp_step",),
    arguments=("model", "optimizer", "scaler", "x"),
    outputs=("weights", "scale"),
    arrays="torch",
    rtol=2e-3,
    atol=1e-5,
    right=(PLAIN, CLEARED_LAST, HIGHER_LIMIT, BY_HAND),
    mistakes=MISTAKES,
    pairs=False,  # every run is a training
    checks=tuple(
        Check(title, inputs, in_fp16, ("weights", "lr", "gradients"), earns=earns)
        for title, inputs, earns in (
            ("a gradient of length 0.5", steps(0.5), True),
            ("a gradient of length 20", steps(20.0), True),
            ("two steps, then a long one", steps(0.3, 0.8, 3.0, width=5), True),
            ("gradients that fp16 rounds to 0", steps(2e-8, 3e-8, lr=1e7), False),
            (
                "an overflow, then a gradient of length 1.7",
                steps(0.4, 300.0, 1.7, width=2),
                True,
            ),
        )
    ),
    hints=(
        "Follow one gradient of length 0.5 with a scale of 1,024. How long is it after "
        "each of the calls, and which of them wants its true length?",
        "In fp16 a gradient may become infinite. Which object looks for that, and through "
        "which of its methods must the step go?",
    ),
    section="Loss scaling",
    page="16b_bits_operations_processes",
    why="Scale the loss, go backward, unscale, clip, step through the scaler, update: "
    "clipping needs true lengths, and only the scaler skips a step that overflowed.",
)
