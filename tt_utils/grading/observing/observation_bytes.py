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


def from_bytes(content: bytes) -> Observation:
    """Raises ValueError, KeyError or TypeError for bytes of another make."""
    try:
        arrays = load(content)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    data = json.loads(arrays.pop(JSON).tobytes())
    values = tuple(
        Value(**{**value, "array": arrays.get(str(n))})
        for n, value in enumerate(data["values"])
    )
    raised = data["raised"] and Raised(**data["raised"])
    more = {"values": values, "raised": raised, "changed": tuple(data["changed"])}
    return Observation(**{**data, **more})
