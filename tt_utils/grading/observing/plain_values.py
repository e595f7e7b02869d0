"""Whatever a learner returns, as plain data: arrays, text, lists and dicts of them.

Nothing of the learner's is left in it, so it can be compared, shown and sent to
another process without running their code again.
"""

from collections.abc import Callable, Iterable, Iterator, KeysView, ValuesView
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

LARGEST = 20_000_000  # numbers in one array; more is no answer to any task
DEEPEST = 8  # lists in lists

Kind = Literal["numbers", "data", "nothing", "unfinished", "unreadable"]


@dataclass(frozen=True)
class Value:
    """One result of the learner's.

    `array` holds it where it is "numbers" (whole, decimal or truth values), `data`
    where it is text, or lists and dicts that are no regular table. `form` says what
    it was, as "a list", "an array of float16".
    """

    kind: Kind
    form: str
    array: np.ndarray | None = None
    data: Any = None
    eps: float = 0.0  # the step between the numbers next to 1 in their own dtype
    shown: str = ""  # what the learner would see, short; "" for an array

    @property
    def numbers(self) -> int:
        """How many numbers it holds; text counts as one."""
        return 1 if self.array is None else self.array.size


class Unreadable(TypeError):
    """The value cannot be turned into plain data; the text says what it is."""


def plain(value: Any) -> Value:
    """The value as plain data, of kind "unreadable" where there is no way."""
    if value is None:
        return Value("nothing", "None", shown="None")
    if holds_ellipsis(value):
        return Value("unfinished", "a `...`", shown="...")
    form = form_of(value)
    # The text of an array costs more than all else; `compare.show` writes it if needed.
    shown = "" if isinstance(value, np.ndarray) or is_tensor(value) else short(value)
    try:
        value = collected(value)
        array = as_array(value)
        if array is not None:
            return Value(
                "numbers", form, array=array, eps=precision(value), shown=shown
            )
        return Value("data", form, data=as_data(value), shown=shown)
    except Unreadable as error:
        return Value("unreadable", str(error), shown=shown)
    except Exception:  # an object of the learner's own may raise anything
        return Value("unreadable", form, shown=shown)


def holds_ellipsis(value: Any) -> bool:
    return value is ... or (
        isinstance(value, tuple | list) and any(item is ... for item in value)
    )


def collected(value: Any) -> Any:
    """What can be walked only once, such as `map(...)` or `d.values()`, as a list."""
    if isinstance(value, Iterator | KeysView | ValuesView | range):
        return list(limited(value))
    return value


def as_array(value: Any) -> np.ndarray | None:
    """Numbers or truth values as an array; None where it is something else."""
    if isinstance(value, np.ndarray | np.generic):
        return checked_array(np.asarray(value))
    if is_tensor(value):
        return from_tensor(value)
    if isinstance(value, bool | int | float):
        return checked_array(np.asarray(value))
    if isinstance(value, str | bytes | dict | set | frozenset | type):
        return None
    if isinstance(value, list | tuple):
        return from_items(value)
    if hasattr(value, "__array__"):
        return checked_array(np.asarray(value))
    if hasattr(value, "__float__"):  # a Fraction, a Decimal
        return np.asarray(float(value))
    return None


def from_items(items: list | tuple, depth: int = DEEPEST) -> np.ndarray | None:
    if not items:
        return np.zeros(0)
    if depth == 0 or len(items) > LARGEST:
        raise Unreadable("a list of lists without end")
    if all(type(item) in (int, float, bool) for item in items):
        return checked_array(np.asarray(items))
    parts = [
        from_items(item, depth - 1)
        if isinstance(item, list | tuple)
        else as_array(item)
        for item in items
    ]
    if any(part is None for part in parts):
        return None
    if len({part.shape for part in parts}) > 1:
        return None
    return np.stack(parts)


def checked_array(array: np.ndarray) -> np.ndarray | None:
    """A copy in a common dtype: bool, int64 or float64; None for text."""
    too_large(array.size)
    if array.dtype.kind in "US":
        return None
    if array.dtype.kind == "O":
        flat = [as_array(item) for item in array.ravel()]
        if any(part is None or part.ndim for part in flat):
            return None
        return np.array([part.item() for part in flat]).reshape(array.shape)
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "b":
        return array.astype(bool)
    raise Unreadable(f"an array of dtype {array.dtype}")


def is_tensor(value: Any) -> bool:
    """Is it one of torch's? Asked without importing it."""
    return any(
        kind.__module__ == "torch" and kind.__name__ == "Tensor"
        for kind in type(value).__mro__
    )


def from_tensor(value: Any) -> np.ndarray:
    too_large(value.numel())
    if str(value.layout) != "torch.strided":
        raise Unreadable("a sparse tensor")
    if value.is_nested:
        raise Unreadable("a nested tensor")
    if value.device.type == "meta":
        raise Unreadable("a tensor on the device meta, which holds no numbers")
    if value.dtype.is_complex:
        raise Unreadable(f"a tensor of dtype {value.dtype}")
    value = value.detach().cpu()
    if value.dtype.is_floating_point:
        value = value.double()
    array = checked_array(np.array(value.numpy(), copy=True))
    assert array is not None
    return array


def too_large(size: int) -> None:
    if size > LARGEST:
        raise Unreadable(f"an array of {size:,} numbers, far more than asked for")


def limited(items: Iterable) -> Iterable:
    for number, item in enumerate(items):
        too_large(number)
        yield item


def as_data(value: Any, depth: int = DEEPEST) -> Any:
    """Text, and lists and dicts of plain things, as JSON can hold them."""
    if depth == 0:
        raise Unreadable("a list of lists without end")
    if value is None or isinstance(value, str):
        return None if value is None else str(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "US":
        return as_data(value.tolist(), depth)
    if isinstance(value, dict):
        return {
            "keys": [as_data(key, depth - 1) for key in value],
            "values": [as_data(item, depth - 1) for item in value.values()],
        }
    if isinstance(value, list | tuple):
        return [as_data(item, depth - 1) for item in value]
    if isinstance(value, set | frozenset):
        return {"set": sorted(map(str, value))}
    array = as_array(value)
    if array is None:
        raise Unreadable(form_of(value))
    return array.tolist()


def precision(value: Any) -> float:
    """The eps of the value's own dtype; 0 where it is not a float type."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f":
        return float(np.finfo(value.dtype).eps)
    if is_tensor(value) and value.dtype.is_floating_point:
        import torch

        return float(torch.finfo(value.dtype).eps)
    return 0.0


def form_of(value: Any) -> str:
    """What it is, in a learner's words."""
    if isinstance(value, np.ndarray):
        return f"an array of dtype {value.dtype}"
    if is_tensor(value):
        return f"a tensor of dtype {str(value.dtype).removeprefix('torch.')}"
    if isinstance(value, Callable) and not isinstance(value, type):
        name = getattr(value, "__name__", "")
        if isinstance(name, str) and name.isidentifier():
            return f"the function `{name}`"
    if isinstance(value, type):
        return f"the class `{value.__name__}`"
    name = type(value).__name__
    return f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"


def short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # an object of the learner's own
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else text[:200] + " …"
