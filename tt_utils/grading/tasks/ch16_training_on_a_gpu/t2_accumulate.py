"""16.2 One step from several parts of a batch, each token weighing the same."""

from typing import Any

import numpy as np

from tt_utils.grading.observing.probes import load
from tt_utils.grading.tasks.spec import Check, FunctionTask

COUNTED = """
def train_step(model, optimizer, parts):
    total = sum(int((targets != 0).sum()) for _, targets in parts)
    optimizer.zero_grad()
    whole = 0.0
    for x, targets in parts:
        logits = model(x).flatten(0, 1)
        loss = F.cross_entropy(
            logits, targets.flatten(), ignore_index=0, reduction="sum"
        )
        (loss / total).backward()
        whole += loss.item() / total
    optimizer.step()
    return whole
"""

WEIGHED = """
def train_step(model, optimizer, parts):
    tokens = [(targets != 0).sum() for _, targets in parts]
    optimizer.zero_grad()
    losses = []
    for (x, targets), n in zip(parts, tokens):
        if n == 0:
            continue
        mean = F.cross_entropy(model(x).mT, targets, ignore_index=0)
        loss = mean * n / sum(tokens)
        loss.backward()
        losses.append(loss.detach())
    optimizer.step()
    return torch.stack(losses).sum()
"""

DIVIDED_LATER = """
def train_step(model, optimizer, parts):
    count, whole = 0, 0.0
    optimizer.zero_grad()
    for x, targets in parts:
        real = targets != 0
        log_p = model(x).log_softmax(-1)
        losses = -log_p.gather(-1, targets[..., None])[..., 0][real]
        losses.sum().backward()
        count += len(losses)
        whole += float(losses.sum())
    for p in model.parameters():
        p.grad /= count
    optimizer.step()
    return whole / count
"""

MISTAKES = """
mean over nothing: if n == 0:\\n            continue → pass
    In a part without a real token PyTorch's mean is 0 divided by 0, and what is added
    to that stays NaN. Which parts have nothing to say?

means added up: (loss / total).backward() → (loss / (targets != 0).sum().clamp(min=1)).backward()
and: whole += loss.item() / total → whole += loss.item() / max(1, int((targets != 0).sum()))
or: mean * n / sum(tokens) → mean
    You add up the means of the parts, so with k parts the gradient is about k times too
    large. Which number should the whole sum be divided by?

mean of the parts' means: (loss / total).backward() → (loss / (targets != 0).sum().clamp(min=1) / len(parts)).backward()
and: whole += loss.item() / total → whole += loss.item() / max(1, int((targets != 0).sum())) / len(parts)
or: mean * n / sum(tokens) → mean / len(parts)
or: mean * n / sum(tokens) → mean / sum(t > 0 for t in tokens)
    Each part weighs the same in yours, whether it holds 2 tokens or 12. By what should a
    part be weighed?

padding counted: int((targets != 0).sum()) for → targets.numel() for
or: tokens = [(targets != 0).sum() for → tokens = [targets.numel() for
or: count += len(losses) → count += targets.numel()
    Padding has no loss, but it counts in yours when you divide. How many real tokens
    does a part hold?

padding to be learned: ignore_index=0, →
and: int((targets != 0).sum()) for → targets.numel() for
or: real = targets != 0 → real = targets > -1
or: ignore_index=0, →
or: , ignore_index=0) → )
    The model is trained to say padding. Which targets have no loss?

weighed by sentences: mean * n / sum(tokens) → mean * len(x) / sum(len(x) for x, _ in parts)
or: (loss / total).backward() → (loss / (targets != 0).sum().clamp(min=1) * len(x) / sum(len(x) for x, _ in parts)).backward()
and: whole += loss.item() / total → whole += loss.item() / max(1, int((targets != 0).sum())) * len(x) / sum(len(x) for x, _ in parts)
    You weigh each part by its sentences, and these differ in length. Of what is the loss
    a mean?

divided by the sentences: int((targets != 0).sum()) for → len(targets) for
or: count += len(losses) → count += len(targets)
    You divide by the number of sentences. Of what is the loss a mean?

divided by the parts: sum(int((targets != 0).sum()) for _, targets in parts) → len(parts)
or: count += len(losses) → count += 1
    You divide the sum of all losses by the number of parts. How many tokens are summed
    up?

sum of all losses: (loss / total).backward() → loss.backward()
and: whole += loss.item() / total → whole += loss.item()
or: p.grad /= count → pass
and: return whole / count → return whole
    Yours grows with the size of the batch. What turns a sum of losses into the loss of
    one token?

step after every part: whole += loss.item() / total\\n    optimizer.step() → whole += loss.item() / total\\n        optimizer.step()
or: losses.append(loss.detach())\\n    optimizer.step() → losses.append(loss.detach())\\n        optimizer.step()
    You step after each part, so the second one meets another model, and gradients of the
    first act twice. How many steps does one batch make?

step and clear after every part: whole += loss.item() / total\\n    optimizer.step() → whole += loss.item() / total\\n        optimizer.step()\\n        optimizer.zero_grad()
or: losses.append(loss.detach())\\n    optimizer.step() → losses.append(loss.detach())\\n        optimizer.step()\\n        optimizer.zero_grad()
    Each part makes a step of its own in yours, and the second part meets another model.
    How many steps does one batch make?

cleared before every part: optimizer.zero_grad()\\n    whole = 0.0\\n    for x, targets in parts: → whole = 0.0\\n    for x, targets in parts:\\n        optimizer.zero_grad()
or: optimizer.zero_grad()\\n    losses = []\\n    for (x, targets), n in zip(parts, tokens): → losses = []\\n    for (x, targets), n in zip(parts, tokens):\\n        optimizer.zero_grad()
or: optimizer.zero_grad()\\n    for x, targets in parts: → for x, targets in parts:\\n        optimizer.zero_grad()
    Only the last part has a gradient in the end. How often do you go backward, and when
    should the old gradients go?

never cleared: optimizer.zero_grad() → pass
    Gradients of an earlier step are still there and are added to yours. What comes
    before the first `backward`?

nothing learned: optimizer.step() → optimizer.zero_grad()\\n    optimizer.step()
or: optimizer.step() → pass
    The weights stay what they were. Is there a step at the end, and are the gradients
    still there when it comes?

the last part alone: for x, targets in parts: → for x, targets in parts[-1:]:
and: for _, targets in parts → for _, targets in parts[-1:]
or: in zip(parts, tokens): → in zip(parts[-1:], tokens[-1:]):
and: sum(tokens) → tokens[-1]
    You read one part alone. What becomes of the tokens in the others?

the first part without a gradient: (loss / total).backward() → if x is not parts[0][0]:\\n            (loss / total).backward()
or: loss.backward() → if losses:\\n            loss.backward()
or: losses.sum().backward() → if count:\\n            losses.sum().backward()
and: p.grad /= count → p.grad = p.grad / count if p.grad is not None else None
    Your first part leaves no gradient. Which of your lines must run once for every part?

divided by the tokens so far: total = sum(int((targets != 0).sum()) for _, targets in parts) → total = 0
and: for x, targets in parts:\\n → for x, targets in parts:\\n        total += int((targets != 0).sum())\\n
or: tokens = [(targets != 0).sum() for _, targets in parts] → tokens = [torch.tensor(0)]
and: in zip(parts, tokens): → in [(p, (p[1] != 0).sum()) for p in parts]:\\n        tokens.append(n)
    You divide by the tokens seen so far, so early parts weigh too much. When is the
    number of all tokens known?

parts of equal size assumed: sum(int((targets != 0).sum()) for _, targets in parts) → len(parts) * max(1, int((parts[0][1] != 0).sum()))
or: mean * n / sum(tokens) → mean * n / (len(tokens) * tokens[0].clamp(min=1))
    You count the tokens of the first part and take all to be like it. Which parts may
    hold fewer?

gradient not divided: (loss / total).backward() → loss.backward()
or: p.grad /= count → pass
    Your returned loss is divided, the loss that goes backward is not, so the step grows
    with the size of the batch. By what should both be divided?

loss of the last part: whole += loss.item() / total → whole = loss.item() / total
or: torch.stack(losses).sum() → losses[-1]
or: whole += float( → whole = float(
or: return whole\\n → return loss.item() / max(1, int((targets != 0).sum()))\\n
or: return torch.stack(losses).sum() → return mean.detach()
    The step is right, your returned loss is that of the last part. What is the loss of
    the whole batch?

returned loss not divided: whole += loss.item() / total → whole += loss.item()
or: return whole / count → return whole
    The step is right, your returned loss is a sum. By what is it divided?

mean of the losses returned: return torch.stack(losses).sum() → return torch.stack(losses).mean()
or: return whole\\n → return whole / len(parts)\\n
    The step is right. Your parts' losses are divided by all tokens already: what is
    their sum?

nothing returned: return whole\\n → return 0.0\\n
or: return torch.stack(losses).sum() → return 0.0
or: return whole / count → return 0.0
    The step is right. What is the loss of the batch?
"""


def accumulated(answers: tuple, sizes: dict, weights: dict, old: dict, parts: Any):
    """The weights of a linear model after the step, and the loss that is returned.

    The gradients of an earlier step, `old`, are still there.
    """
    import torch

    model = torch.nn.Linear(**sizes)
    load(model, weights)
    for name, parameter in model.named_parameters():
        parameter.grad = old[name].clone()
    loss = answers[0](model, torch.optim.SGD(model.parameters(), lr=0.5), parts)
    return model.weight.detach(), model.bias.detach(), loss


def batch(*lengths: tuple[int, ...], width: int = 3, vocab: int = 5, old: float = 0.0):
    """Parts with sentences of these lengths, padded to the longest of their part."""

    def inputs(rng: np.random.Generator) -> tuple:
        def normal(*shape):
            return rng.normal(size=shape).round(1)

        parts = []
        for part in lengths:
            targets = np.zeros((len(part), max(*part, 2)), int)
            for row, length in zip(targets, part, strict=True):
                row[:length] = rng.integers(1, vocab, length)
            parts.append((normal(*targets.shape, width), targets))
        sizes = {"in_features": width, "out_features": vocab}
        weights, before = (
            {"weight": factor * normal(vocab, width), "bias": factor * normal(vocab)}
            for factor in (1.0, old)
        )
        return sizes, weights, before, parts

    return inputs


NAMES = ("sizes", "weights", "old_gradients", "parts")

TASK = FunctionTask(
    title="A large batch in small parts",
    kind="implement",
    answers=("train_step",),
    arguments=("model", "optimizer", "parts"),
    outputs=("weight", "bias", "loss"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-5,
    right=(COUNTED, WEIGHED, DIVIDED_LATER),
    mistakes=MISTAKES,
    pairs=False,  # every run is a training step
    checks=tuple(
        Check(title, inputs, probe=accumulated, arguments=NAMES)
        for title, inputs in (
            ("one part without padding", batch((3, 3))),
            ("one part with padding", batch((2, 5), width=2)),
            ("two parts, equally many tokens", batch((3, 3), (3, 3))),
            ("three parts of unequal lengths", batch((5, 2), (3,), (7, 7, 4))),
            ("gradients are left from an earlier step", batch((4, 1), (2,), old=2.0)),
            ("a part of padding alone", batch((3, 2), (0,), (5,), vocab=7)),
        )
    ),
    hints=(
        "By how many tokens would the loss be divided, if the batch were in one piece? "
        "That number can be counted before the first part is read.",
        "Gradients add up until they are cleared. Where do `zero_grad` and `step` stand, "
        "when all parts together make one step?",
    ),
    section="Too large for its memory",
    why="Every token has the same share of the sum, whichever part it came in: then parts "
    "give the gradient of the whole batch.",
)
