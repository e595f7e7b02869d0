"""Observations as bytes and back, for the way between two processes.

Arrays travel as safetensors, all else as JSON: reading it runs no code.
"""

import json
from dataclasses import asdict, replace

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from tt_utils.grading.observing.observation import Observation, Raised
from tt_utils.grading.observing.plain_values import Value

JSON = "observation"


def to_bytes(observed: Observation) -> bytes:
    arrays = {
        str(n): np.array(value.array, order="C")
        for n, value in enumerate(observed.values)
        if value.array is not None
    }
    bare = tuple(replace(value, array=None) for value in observed.values)
    # In ASCII, a lone surrogate in a learner's text survives as an escape.
    text = json.dumps(asdict(replace(observed, values=bare))).encode("ascii")
    return save({JSON: np.frombuffer(text, dtype=np.uint8), **arrays})


def from_bytes(content: bytes, most: int | None = None) -> Observation:
    """Raises ValueError, KeyError or TypeError for bytes of another make.

    `most` bounds the bytes of what is JSON.
    """
    try:
        arrays = load(content)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    text = arrays.pop(JSON).tobytes()
    if most is not None and len(text) > most:
        raise ValueError(f"{len(text):,} bytes of JSON")
    data = json.loads(text)
    values = tuple(
        Value(**{**value, "array": arrays.get(str(n))})
        for n, value in enumerate(data["values"])
    )
    raised = data["raised"] and Raised(**data["raised"])
    more = {"values": values, "raised": raised, "changed": tuple(data["changed"])}
    return Observation(**{**data, **more})
