"""Planted bugs: copies of this package in which one line is wrong.

A copy is imported beside the package, which stays as it is. All copies, the one without
a bug too, attend by the formula that chapter 05 writes out: PyTorch's fused kernel
would compute past the lines that some bugs change.
"""

import importlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType

PACKAGE = __name__.partition(".")[0]
OWN_IMPORT = re.compile(rf"^(\s*(?:from|import) ){PACKAGE}\b", re.MULTILINE)
NUMBERS = count(1)  # a copy each time, so that two runs share nothing


@dataclass(frozen=True)
class Bug:
    """One line of one module, and the line that stands there instead."""

    module: str
    right: str
    wrong: str

    def __str__(self) -> str:
        """Show where the line stands, as it should be and as it is."""
        return f"{self.module}\n  right  {self.right}\n  wrong  {self.wrong}"


WRITTEN_OUT = Bug("blocks.attention", "if need_weights:", "if True:")

BUGS = {
    "softmax over the queries": Bug(
        "blocks.attention",
        "return scores.softmax(dim=-1).masked_fill(~mask, 0.0).to(dtype)",
        "return scores.softmax(dim=-2).masked_fill(~mask, 0.0).to(dtype)",
    ),
    "masked after softmax": Bug(
        "blocks.attention", "scores = scores.masked_fill(~mask, -math.inf)", "pass"
    ),
    "masked with 0": Bug(
        "blocks.attention",
        "scores = scores.masked_fill(~mask, -math.inf)",
        "return scores.masked_fill(~mask, 0.0).softmax(dim=-1).to(dtype)",
    ),
    "not divided by the root of d_k": Bug(
        "blocks.attention",
        "scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (…, t_q, t_k)",
        "scores = q @ k.transpose(-2, -1)  # (…, t_q, t_k)",
    ),
    "the mask sees one word ahead": Bug(
        "blocks.attention",
        "return join_masks(mask, seen.tril(t_k - t_q))",
        "return join_masks(mask, seen.tril(t_k - t_q + 1))",
    ),
    "causal in training only": Bug(
        "blocks.layers",
        "x, lambda y: self.self_attention(y, y, y, causal=causal, cache=own)[0]",
        "x, lambda y: self.self_attention(y, y, y, causal=self.training, cache=own)[0]",
    ),
    "heads cut across positions": Bug(
        "blocks.attention",
        "return x.unflatten(-1, (n_heads or self.n_heads, -1)).transpose(1, 2)",
        "return x.reshape(len(x), n_heads or self.n_heads, x.shape[1], -1)",
    ),
    "heads joined across positions": Bug(
        "blocks.attention",
        "joined = out.transpose(1, 2).flatten(2)  # (batch, t_q, d_model)",
        "joined = out.reshape(len(out), out.shape[2], -1)  # (batch, t_q, d_model)",
    ),
    "padding attended to": Bug(
        "blocks.masks",
        "return (tokens != pad_id)[:, None, None, :]",
        "return (tokens == tokens)[:, None, None, :]",
    ),
    "padding in the loss": Bug(
        "data.batching", "real=places(labels != pad_id),", "real=places(labels >= 0),"
    ),
    "labels not shifted": Bug(
        "data.batching",
        "labels = pad([[*tgt, eos_id] for _, tgt in pairs], pad_id)",
        "labels = pad([[bos_id, *tgt] for _, tgt in pairs], pad_id)",
    ),
    "the end never taught": Bug(
        "data.batching",
        "labels = pad([[*tgt, eos_id] for _, tgt in pairs], pad_id)",
        "labels = pad([[*tgt, pad_id] for _, tgt in pairs], pad_id)",
    ),
    "cross-attention reads the target": Bug(
        "blocks.layers",
        "lambda y: self.cross_attention(y, memory, memory, src_mask, cache=cross)[0],",
        "lambda y: self.cross_attention(y, y, y, causal=causal)[0],",
    ),
    "the sum left out": Bug(
        "blocks.layers",
        "return x + self.dropout(sublayer(self.norm(x)))",
        "return self.dropout(sublayer(self.norm(x)))",
    ),
    "normalised along the sentence": Bug(
        "blocks.layers",
        "return x + self.dropout(sublayer(self.norm(x)))",
        "return x + self.dropout(sublayer(self.norm(x - x.mean(1, keepdim=True))))",
    ),
    "no positions": Bug(
        "blocks.positions", "return x + self.table[start:end]", "return x"
    ),
    "position 0 for every written word": Bug(
        "models.transformer",
        "x = self.tgt_embedding(tgt, start)  # (batch, t_tgt, d_model)",
        "x = self.tgt_embedding(tgt)  # (batch, t_tgt, d_model)",
    ),
    "embeddings not scaled": Bug(
        "blocks.embedding",
        "return self.dropout(self.positions(rows * self.scale, start, pads))",
        "return self.dropout(self.positions(rows, start, pads))",
    ),
    "gradients not set to zero": Bug(
        "training.trainer", "self.optimizer.zero_grad()", "pass"
    ),
    "parts not divided": Bug(
        "training.trainer",
        "mine = [(p, p.weight / batch.weight) for p in pieces[rank::size]]",
        "mine = [(p, 1.0) for p in pieces[rank::size]]",
    ),
    "dropout while writing": Bug("modes", "model.eval()", "pass"),
    "writing begins with the end": Bug(
        "decoding.stepper",
        "self.word = src.new_full((len(src),), config.bos_id)",
        "self.word = src.new_full((len(src),), config.eos_id)",
    ),
    "beams reordered, their keys not": Bug(
        "blocks.cache",
        "self.stored = tuple(self.moved(room, rows) for room in self.stored)",
        "self.stored = tuple(r if len(r) == len(rows) else self.moved(r, rows) "
        "for r in self.stored)",
    ),
}


def plant(name: str | None = None) -> ModuleType:
    """Import a copy of the package with this bug, or without one.

    Its modules are its attributes: `plant("no positions").models.Transformer`. What
    belongs together must come from one copy.

    Raises:
        ValueError: there is no such bug.
    """
    if name is not None and name not in BUGS:
        raise ValueError(
            f"plant: there is no bug {name!r}; choose one of {', '.join(BUGS)}."
        )
    bugs = [WRITTEN_OUT] if name is None else [WRITTEN_OUT, BUGS[name]]
    copy = f"{PACKAGE}_copy_{next(NUMBERS)}"
    COPIES.bugs[copy] = bugs
    if COPIES not in sys.meta_path:
        sys.meta_path.insert(0, COPIES)
    return importlib.import_module(copy)


class Copies(MetaPathFinder):
    """Finds the modules of the copies where those of the package lie."""

    def __init__(self) -> None:
        self.bugs: dict[str, list[Bug]] = {}  # of each copy

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Say where a module of the copy is read from; others are none of ours."""
        top, _, module = fullname.partition(".")
        if top not in self.bugs:
            return None
        original = find_spec(f"{PACKAGE}.{module}" if module else PACKAGE)
        if original is None or original.origin is None:
            return None
        bugs = [bug for bug in self.bugs[top] if bug.module == module]
        return spec_from_file_location(
            fullname,
            original.origin,
            loader=ChangedSource(original.origin, top, bugs),
            submodule_search_locations=original.submodule_search_locations,
        )


COPIES = Copies()


class ChangedSource(Loader):
    """Runs a file with some lines changed and the package's name replaced."""

    def __init__(self, file: str, copy: str, bugs: Sequence[Bug]) -> None:
        self.file, self.copy, self.bugs = file, copy, bugs

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source.

        Raises:
            ValueError: a right line doesn't stand there exactly once.
        """
        source = Path(self.file).read_text("utf-8")
        for bug in self.bugs:
            source = changed(source, bug)
        source = OWN_IMPORT.sub(rf"\g<1>{self.copy}", source)
        if hasattr(module, "__path__"):
            module.__getattr__ = partial(submodule, module.__name__)
        exec(compile(source, self.file, "exec"), module.__dict__)


def submodule(package: str, name: str) -> ModuleType:
    """Import a module when it is first asked for as an attribute of its package.

    Raises:
        AttributeError: there is none of this name.
    """
    if find_spec(f"{package}.{name}") is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return importlib.import_module(f"{package}.{name}")


def changed(source: str, bug: Bug) -> str:
    """Put the wrong line in the place of the right one, with its indentation.

    Raises:
        ValueError: the right line doesn't stand there exactly once.
    """
    line = re.compile(rf"^( *){re.escape(bug.right)}$", re.MULTILINE)
    if (times := len(line.findall(source))) != 1:
        raise ValueError(
            f"plant: {bug.module} has the line {bug.right!r} {times} times; "
            "name one that stands there once."
        )
    return line.sub(lambda match: match[1] + bug.wrong, source)
