"""Slopes through a thing that is elsewhere: a call, and its vector-Jacobian product.

Both are questions that hold all they need, so nothing is kept between them. Works with
`backward`, `torch.autograd` and the transforms of `torch.func`; slopes of slopes don't
go through.
"""

from collections.abc import Sequence
from typing import Any

import torch

from tt_utils.grading.observing.asking import asked, is_wrapped
from tt_utils.grading.observing.call_bytes import ROWS, tensors_in, with_tensors


class Question:
    """A call whose tensors may be others of the same shape."""

    def __init__(self, thing: Any, arguments: tuple, named: dict) -> None:
        self.thing, self.tree = thing, (arguments, named)
        tensors = list(tensors_in(self.tree))
        alike = any(map(is_wrapped, tensors))
        self.slopes = [
            x.is_floating_point() and (x.requires_grad or alike) for x in tensors
        ]
        self.value: Any = None
        self.pulls = 0
        self.jacobian: list[torch.Tensor] | None = None

    def asked(self, tensors: Sequence[torch.Tensor], **more: Any) -> Any:
        given = (
            x.detach().requires_grad_(slope)
            for x, slope in zip(tensors, self.slopes, strict=True)
        )
        with torch.enable_grad():
            arguments, named = with_tensors(self.tree, given)
        return asked(self.thing, arguments, named, **more)["value"]

    def pulled(
        self, tensors: Sequence[torch.Tensor], upstream: Sequence[torch.Tensor]
    ) -> list[Any]:
        """Slopes of what went in; whoever asks again and again asks for all at once."""
        self.pulls += 1
        batched = any(map(torch._C._functorch.is_legacy_batchedtensor, upstream))
        if not (batched or self.pulls > 1) or len(upstream) > 1:
            return self.asked(tensors, upstream=list(upstream))
        flat = upstream[0].reshape(-1)
        if flat.numel() > ROWS:
            return self.asked(tensors, upstream=list(upstream))
        if self.jacobian is None:
            rows = torch.eye(flat.numel(), dtype=flat.dtype)
            rows = rows.reshape(-1, *upstream[0].shape)
            self.jacobian = self.asked(tensors, rows=rows)
        if not all(x is None or x.isfinite().all() for x in self.jacobian):
            return self.asked(tensors, upstream=list(upstream))  # 0 × ∞ is no 0
        return [
            None if x is None else (flat @ x.flatten(1)).reshape(x.shape[1:])
            for x in self.jacobian
        ]


def called_with_slopes(thing: Any, arguments: tuple, named: dict) -> Any:
    question = Question(thing, arguments, named)
    if not torch.is_grad_enabled() and not any(
        map(is_wrapped, tensors_in(question.tree))
    ):
        question.slopes = [False] * len(question.slopes)
        return question.asked(list(tensors_in(question.tree)))
    outputs = Called.apply(question, *tensors_in(question.tree))
    return with_tensors(question.value, iter(outputs))


class Called(torch.autograd.Function):
    """The call itself: tensors in, the tensors of its result out."""

    @staticmethod
    def forward(question: Question, *tensors: torch.Tensor) -> tuple:
        question.value = question.asked(tensors)
        return tuple(x.detach() for x in tensors_in(question.value))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        ctx.question, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        found = zip(output, tensors_in(ctx.question.value), strict=True)
        ctx.mark_non_differentiable(*(x for x, y in found if not y.requires_grad))
        ctx.set_materialize_grads(True)

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor) -> tuple:
        question, tensors = ctx.question, ctx.saved_tensors
        if any(map(is_wrapped, upstream)):
            slopes = iter(Pulled.apply(question, len(tensors), *tensors, *upstream))
        elif torch.is_grad_enabled():
            raise RuntimeError(NO_SECOND)
        else:
            slopes = iter(question.pulled(tensors, upstream))
        return None, *(next(slopes) if slope else None for slope in question.slopes)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> tuple:
        question, tensors = ctx.question, ctx.saved_tensors
        given = [
            torch.zeros_like(x) if tangent is None else tangent
            for x, tangent in zip(tensors, tangents[1:], strict=True)
            if x.is_floating_point()
        ]
        return Pushed.apply(question, len(tensors), *tensors, *given)

    @staticmethod
    def vmap(info: Any, dims: tuple, question: Question, *tensors: Any) -> tuple:
        return one_by_one(Called, info, dims, question, *tensors)


class Pulled(torch.autograd.Function):
    """For slopes of what comes out, those of what went in."""

    @staticmethod
    def forward(question: Question, count: int, *tensors: torch.Tensor) -> tuple:
        inputs, upstream = tensors[:count], tensors[count:]
        found = question.asked(inputs, upstream=[x.detach() for x in upstream])
        moved = [x for x, s in zip(inputs, question.slopes, strict=True) if s]
        pairs = zip(moved, found, strict=True)
        return tuple(torch.zeros_like(x) if y is None else y for x, y in pairs)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> tuple:
        raise RuntimeError(NO_SECOND)

    @staticmethod
    def vmap(info: Any, dims: tuple, question: Question, count: int, *tensors: Any):
        return one_by_one(Pulled, info, dims, question, count, *tensors)


class Pushed(Pulled):
    """For a step of what goes in, that of what comes out."""

    @staticmethod
    def forward(question: Question, count: int, *tensors: torch.Tensor) -> tuple:
        steps = [x.detach() for x in tensors[count:]]
        return tuple(question.asked(tensors[:count], steps=steps))

    @staticmethod
    def vmap(info: Any, dims: tuple, question: Question, count: int, *tensors: Any):
        return one_by_one(Pushed, info, dims, question, count, *tensors)


NO_SECOND = "slopes of slopes can't be asked for where a class is graded"


def one_by_one(function: Any, info: Any, dims: tuple, *inputs: Any) -> tuple:
    """A question for each entry of a batch, and what comes out, stacked."""
    rows = [
        function.apply(
            *(
                x if dim is None else x.select(dim, n)
                for x, dim in zip(inputs, dims, strict=True)
            )
        )
        for n in range(info.batch_size)
    ]
    stacked = tuple(map(torch.stack, zip(*rows, strict=True)))
    return stacked, (0,) * len(stacked)
