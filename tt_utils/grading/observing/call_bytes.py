"""A call's arguments and what it gives, as bytes and back: reading them runs no code.

Arrays and tensors travel as safetensors with their own dtype, all else as JSON. A
tensor's `requires_grad` goes along.
"""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from tt_utils.grading.observing.plain_values import form_of, is_tensor

NUMBERS = 2**20  # in all arrays of one call
PAIRS = 2**22  # of a number and a position on the longest axis: what attention works on
TEXT = 2**18  # bytes of all else in it
ARRAYS, DEEPEST = 1000, 30
ROWS = 256  # of a Jacobian that is asked for at once, one for each number of a result
TREE = "tree"
AS_THEY_ARE = {"bool", "float16", "float32", "float64"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
SENT_WIDER = ("bfloat16",)  # of torch, unknown to NumPy


class OddBytes(ValueError):
    """No call looks like this."""


def to_bytes(tree: Any) -> bytes:
    """Raises ValueError for too much, TypeError for what can't be sent."""
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps(_packed(tree, arrays, DEEPEST)).encode("ascii")
    check_amount(arrays.values(), len(text))
    return save({TREE: np.frombuffer(text, dtype=np.uint8), **arrays})


def from_bytes(content: bytes) -> Any:
    """Raises OddBytes, and ValueError for too much."""
    try:
        arrays = load(content)
        text = arrays.pop(TREE).tobytes()
        check_amount(arrays.values(), len(text))
        return _unpacked(json.loads(text), arrays, DEEPEST)
    except TooMuch:
        raise
    except Exception as error:  # whatever a library says to odd bytes
        raise OddBytes("the bytes are no call's") from error


class TooMuch(ValueError):
    """More than one call may hold."""


def check_amount(arrays: Iterable[np.ndarray], text: int) -> None:
    """Raises TooMuch. An axis of length 0 counts as one of 1: others may be endless."""
    arrays = list(arrays)
    numbers = sum(math.prod(max(1, n) for n in array.shape) for array in arrays)
    longest = max((n for array in arrays for n in array.shape), default=1)
    if numbers > NUMBERS or numbers * longest > PAIRS:
        raise TooMuch(
            f"{numbers:,} numbers in one call, on an axis of {longest:,}, are more "
            "than may be sent where a class is graded"
        )
    if text > TEXT or len(arrays) > ARRAYS:
        raise TooMuch("one call holds more than may be sent where a class is graded")


def _packed(value: Any, arrays: dict[str, np.ndarray], depth: int) -> Any:
    if depth == 0:
        raise TypeError("lists in lists without end can't be sent")

    def packed(items: Iterable) -> list:
        return [_packed(item, arrays, depth - 1) for item in items]

    def kept(array: np.ndarray) -> str:
        if array.dtype.name not in AS_THEY_ARE:
            raise TypeError(f"an array of dtype {array.dtype} can't be sent")
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        arrays[name := str(len(arrays))] = np.array(array, order="C", subok=False)
        return name

    if value is None or type(value) in (bool, int, float, str):
        return value
    if is_tensor(value):
        tensor, dtype = value.detach(), str(value.dtype).removeprefix("torch.")
        if dtype in SENT_WIDER:
            tensor = tensor.float()
        name = kept(tensor.cpu().contiguous().numpy())
        return {"tensor": name, "dtype": dtype, "slope": value.requires_grad}
    if isinstance(value, np.generic):
        return {"scalar": kept(np.asarray(value))}
    if isinstance(value, np.ndarray):
        return {"array": kept(value)}
    if isinstance(value, dict):
        return {"dict": [packed(pair) for pair in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": packed(value)}
    for kind in (bool, int, float, str):
        if isinstance(value, kind):  # one derived from it
            return kind(value)
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return packed(_limited(value))
    if hasattr(value, "__array__"):
        return {"array": kept(np.asarray(value))}
    if hasattr(value, "__float__"):  # a Fraction, a Decimal
        return float(value)
    raise TypeError(f"{form_of(value)} can't be sent")


def _limited(items: Iterable) -> Iterator:
    for number, item in enumerate(items):
        if number > TEXT:
            raise TooMuch("a list is longer than may be sent where a class is graded")
        yield item


def _unpacked(data: Any, arrays: dict[str, np.ndarray], depth: int) -> Any:
    if depth == 0:
        raise OddBytes("lists in lists without end")
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, list):
        return [_unpacked(item, arrays, depth - 1) for item in data]
    (kind, content), *more = data.items()
    if kind == "tensor":
        return _tensor(arrays[content], **dict(more))
    if kind == "array":
        return arrays[content]
    if kind == "scalar":
        return arrays[content][()]
    items = _unpacked(content, arrays, depth - 1)
    if kind == "tuple":
        return tuple(items)
    if kind == "dict":
        return dict(items)
    raise OddBytes("a value of no known kind")


def _tensor(array: np.ndarray, dtype: str, slope: bool) -> Any:
    import torch

    tensor = torch.from_numpy(array)
    if dtype in SENT_WIDER:
        tensor = tensor.to(getattr(torch, dtype))
    return tensor.requires_grad_() if slope is True else tensor


def tensors_in(tree: Any) -> Iterator[Any]:
    """The tensors in a tree, in a fixed order."""
    if is_tensor(tree):
        yield tree
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from tensors_in(item)
    elif isinstance(tree, tuple | list):
        for item in tree:
            yield from tensors_in(item)


def with_tensors(tree: Any, tensors: Iterator[Any]) -> Any:
    """The tree with other tensors at the places of its own, in the same order."""
    if is_tensor(tree):
        return next(tensors)
    if isinstance(tree, dict):
        return {key: with_tensors(item, tensors) for key, item in tree.items()}
    if isinstance(tree, tuple | list):
        items = [with_tensors(item, tensors) for item in tree]
        return tuple(items) if isinstance(tree, tuple) else items
    return tree
