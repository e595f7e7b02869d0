"""How a check uses what the learner handed in.

A probe gets the answers and the arguments of one check, and returns what is compared.
It runs on the learner's side: it knows no right answer.
"""

import copy
from collections.abc import Callable
from typing import Any


def call(answers: tuple, *arguments: Any) -> Any:
    """The first, or only, function's result."""
    return answers[0](*arguments)


class NotTheSame(LookupError):
    """A second call with the same inputs gives something else; says so."""


def twice(answers: tuple, *arguments: Any) -> Any:
    """The first function's result, which a second call has to give again."""
    again = copy.deepcopy(arguments)
    result = answers[0](*arguments)
    hold_same(result, answers[0](*again))
    return result


def hold_same(once: Any, again: Any) -> None:
    """Raise `NotTheSame` where tensors of decimal numbers differ."""
    import torch

    rows = [one if isinstance(one, tuple | list) else [one] for one in (once, again)]
    for one, other in zip(*rows, strict=False):
        tensors = all(
            isinstance(x, torch.Tensor) and x.is_floating_point() for x in (one, other)
        )
        if (
            tensors
            and one.shape == other.shape
            and not torch.allclose(one, other, 1e-3, 1e-4, equal_nan=True)
        ):
            raise NotTheSame("two calls with the same inputs gave different results")


def second(answers: tuple, *arguments: Any) -> Any:
    """The second function's result, where a task asks for two."""
    return answers[1](*arguments)


def round_trip(answers: tuple, *arguments: Any) -> Any:
    """The second function on the result of the first, such as merge after split."""
    there, back = answers
    return back(there(*arguments))


def values(answers: tuple) -> Any:
    """The answers themselves, where a task asks for values."""
    return answers if len(answers) > 1 else answers[0]


def forward(
    answers: tuple, sizes: dict[str, int], weights: dict[str, Any], *inputs: Any
) -> Any:
    """A module's output: built with `sizes`, given `weights`, in evaluation mode.

    Raises LookupError, in words for the learner, where its parameters have other
    names or shapes.
    """
    module = answers[0](**sizes)
    load(module, weights)
    return module.eval()(*inputs)


def forward_in_both_modes(
    answers: tuple, sizes: dict[str, int], weights: dict[str, Any], *inputs: Any
) -> Any:
    """A module's output while it trains, which has to be the same afterwards."""
    module = answers[0](**sizes)
    load(module, weights)
    result = module.train()(*inputs)
    hold_same(result, module.eval()(*inputs))
    return result


def forward_of(number: int) -> Callable:
    """`forward` for the answer with this number, where a task asks for several."""

    def forward_of_one(answers: tuple, *arguments: Any) -> Any:
        return forward(answers[number - 1 :], *arguments)

    return forward_of_one


def parameter_shapes(answers: tuple, sizes: dict[str, int]) -> dict[str, list[int]]:
    """Name and shape of every parameter that an optimiser would see."""
    module = answers[0](**sizes)
    return {name: list(x.shape) for name, x in sorted(module.named_parameters())}


def trained(
    answers: tuple, sizes: dict[str, int], weights: dict[str, Any], lr: float, *batch
) -> dict[str, Any]:
    """The parameters of a linear model after the learner's training step on it.

    The step gets the model, an SGD optimiser with the rate `lr`, and the batch.
    """
    import torch

    model = torch.nn.Linear(**sizes)
    load(model, weights)
    answers[0](model, torch.optim.SGD(model.parameters(), lr=lr), *batch)
    return {name: x.detach().tolist() for name, x in model.named_parameters()}


def load(module: Any, weights: dict[str, Any]) -> None:
    """Copy the weights into the parameters of the same names.

    A parameter that stands in two places has both names.
    """
    import torch

    found = dict(module.named_parameters(remove_duplicate=False))
    for name, weight in weights.items():
        if name not in found:
            raise LookupError(
                f"your module has no parameter `{name}`; it has "
                f"{', '.join(f'`{other}`' for other in found) or 'none at all'}"
            )
        if found[name].shape != weight.shape:
            raise LookupError(
                f"the parameter `{name}` has the shape {tuple(found[name].shape)}, "
                f"expected {tuple(weight.shape)}"
            )
        with torch.no_grad():
            found[name].copy_(weight)
