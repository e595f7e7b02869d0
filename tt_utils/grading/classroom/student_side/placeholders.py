"""Stands in for what of `tt_utils` is not in the sandbox: it can only be imported."""

import sys
import types
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any, NoReturn


class NotHere(NotImplementedError):
    """Something is used that the sandbox doesn't have."""


class Missing:
    """A name that is not here."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise NotHere(
            f"`{self.name}` is not here where a class is graded: no answer needs it"
        )

    __call__ = __getitem__ = __iter__ = __len__ = __enter__ = _refuse
    __mro_entries__ = __getattr__ = _refuse


class _Finder(MetaPathFinder, Loader):
    """Finds every module of `tt_utils` that no other finder has found."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.startswith("tt_utils.") else None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__path__ = []
        module.__getattr__ = missing_in(spec.name)
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def missing_in(module: str) -> Callable[[str], Any]:
    """What a package, or a module, answers for a name that it doesn't have."""

    def missing(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        path = getattr(sys.modules[module], "__path__", None)
        if path and PathFinder.find_spec(f"{module}.{name}", path):
            return import_module(f"{module}.{name}")
        return Missing(f"{module}.{name}")

    return missing


def install() -> None:
    """From here on no import from `tt_utils` fails."""
    sys.meta_path.append(_Finder())
