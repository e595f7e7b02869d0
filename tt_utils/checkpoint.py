"""A training run kept in one file: it is whole, or it is not there.

The file is safetensors with JSON in its header: reading it runs no code, unlike
a pickle.
"""

import hashlib
import json
import reprlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from tt_utils.atomic_write import disk_reason, write_atomically

FILE = "checkpoint.safetensors"
KIND = "tt_utils checkpoint"
FORMAT = 3


class CheckpointError(RuntimeError):
    """A checkpoint can't be written, read or used here; the message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """What a file held: tensors under names like `model.…`, and `info` from JSON."""

    path: Path
    tensors: dict[str, Tensor]
    info: dict[str, Any]

    def part(self, name: str) -> dict[str, Tensor]:
        """Pick the tensors of one part, such as `model`, by their names inside it."""
        start = f"{name}."
        return {
            key.removeprefix(start): tensor
            for key, tensor in self.tensors.items()
            if key.startswith(start)
        }


def make_folder(folder: Path | str) -> Path:
    """Make sure, before hours of work, that a checkpoint can be written.

    Raises:
        CheckpointError: it is a file, or may not be written to.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CheckpointError(
            f"{folder} can't be a folder for checkpoints: {disk_reason(error)}; "
            "choose another one."
        ) from error
    return Path(folder)


def save_checkpoint(
    folder: Path | str, tensors: Mapping[str, Tensor], info: Mapping[str, Any]
) -> Path:
    """Write everything at once; a crash leaves the previous file or the new one.

    `info` holds whatever JSON can. Tensors must not share memory.

    Raises:
        CheckpointError: the disk is full or the folder can't be written.
    """
    path = Path(folder) / FILE
    flat = {
        name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()
    }
    text = json.dumps(info)
    header = {
        "kind": KIND,
        "format": str(FORMAT),
        "info": text,
        "sha256": checksum(flat, text),
    }
    content = safetensors.torch.save(flat, header)
    try:
        write_atomically(path, content)
    except OSError as error:
        raise CheckpointError(
            f"save_checkpoint: {path} can't be written: "
            f"{disk_reason(error, len(content))}; make room or choose another "
            "folder. A checkpoint written before is still whole."
        ) from error
    return path


def load_checkpoint(
    folder: Path | str, expected: Mapping[str, Any] | None = None
) -> Checkpoint:
    """Read and verify what `save_checkpoint` wrote.

    What is `expected`, such as {"vocabulary": …}, must equal the entry of that name
    in `info`; of a dictionary inside, only the keys that are given count.

    Raises:
        CheckpointError: it is missing, cut off, changed, not ours, or doesn't fit.
    """
    path = Path(folder)
    path = path / FILE if path.is_dir() else path
    try:
        tensors, header = read_file(path)
    except FileNotFoundError as error:
        raise CheckpointError(
            f"load_checkpoint: there is no checkpoint at {path}; check the folder, "
            "or train first."
        ) from error
    except OSError as error:
        raise CheckpointError(
            f"load_checkpoint: {path} can't be read: {disk_reason(error)}."
        ) from error
    if header.get("kind") != KIND:
        raise CheckpointError(
            f"load_checkpoint: {path} wasn't written by save_checkpoint; give the "
            "folder of a training run."
        )
    if header.get("format") != str(FORMAT):
        raise CheckpointError(
            f"load_checkpoint: {path} has format {header.get('format')}, this version "
            f"of tt_utils reads {FORMAT}; use the version that wrote it."
        )
    text = header.get("info", "")
    if header.get("sha256") != checksum(tensors, text):
        raise CheckpointError(
            f"load_checkpoint: {path} was changed or damaged after it was written "
            "(its checksum differs); delete it, or restore a copy."
        )
    info = json.loads(text)
    # Through JSON and back, so that tuples equal the lists they became.
    for name, value in json.loads(json.dumps(expected or {})).items():
        if found := difference(info.get(name), value, name):
            raise CheckpointError(
                f"load_checkpoint: {path} doesn't fit: {found}; use the settings it "
                "was made with, or another folder."
            )
    return Checkpoint(path, tensors, info)


def read_file(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Read a safetensors file: its tensors and the strings in its header."""
    # In one go: a run may put its next checkpoint in the place of this one.
    content = path.read_bytes()
    # Eight bytes hold the header's length, and the header is a JSON object. A file
    # that was cut before or inside these two signs may still have been one of ours.
    if not b'{"'.startswith(content[8:10]):
        return {}, {}
    try:
        tensors = safetensors.torch.load(content)
    except SafetensorError as error:
        raise CheckpointError(
            f"load_checkpoint: {path} is cut off or damaged; delete it, or restore "
            "a copy."
        ) from error
    length = int.from_bytes(content[:8], "little")
    return tensors, json.loads(content[8 : 8 + length]).get("__metadata__", {})


def checksum(tensors: Mapping[str, Tensor], text: str) -> str:
    """Digest every name, type, shape and number, and the JSON beside them."""
    digest = hashlib.sha256(text.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def difference(stored: Any, given: Any, name: str) -> str | None:
    """Say in words where two JSON values first differ, if they do."""
    if isinstance(stored, dict) and isinstance(given, dict):
        found = (difference(stored.get(key), given[key], key) for key in given)
        return next(filter(None, found), None)
    if isinstance(stored, list) and isinstance(given, list):
        if len(stored) != len(given):
            return f"{name} has {len(given)} entries, the checkpoint's {len(stored)}"
        pairs = enumerate(zip(stored, given, strict=True))
        found = (difference(*pair, f"{name}[{i}]") for i, pair in pairs)
        return next(filter(None, found), None)
    if stored == given:
        return None
    return f"{name} is {reprlib.repr(given)}, was {reprlib.repr(stored)}"


def own_tensors(module: nn.Module) -> dict[str, Tensor]:
    """Name every parameter and persistent buffer once, tied ones by their first name.

    These are the tensors of `state_dict`, which has an entry for each name.
    """
    state = module.state_dict()
    named = (*module.named_parameters(), *module.named_buffers())
    return {name: state[name] for name, _ in named if name in state}


@torch.no_grad()
def fill(module: nn.Module, stored: Mapping[str, Tensor]) -> None:
    """Copy stored tensors into a module in place.

    Raises:
        CheckpointError: a name or a shape differs.
    """
    own = own_tensors(module)
    for name in sorted(own.keys() | stored.keys()):
        ours, theirs = (
            tuple(tensors[name].shape) if name in tensors else None
            for tensors in (own, stored)
        )
        if ours != theirs:
            raise CheckpointError(
                f"load_checkpoint: the model doesn't fit: {name} has shape {ours} "
                f"here and {theirs} in the checkpoint; build it with the same config."
            )
    for name, tensor in own.items():
        tensor.copy_(stored[name])
