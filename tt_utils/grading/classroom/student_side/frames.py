"""Messages between the two sides: a head in JSON, and a body of bytes."""

import json
import struct
from collections.abc import Iterator
from typing import Any

LENGTHS = struct.Struct("<IQ")
LARGEST_HEAD = 2**16
LARGEST = 2**24  # bytes of one message, and of all messages together
ASKED = 2**30  # of all questions together, and of the answers to them


class Malformed(ValueError):
    """The bytes are no messages of ours."""


def pack(head: dict[str, Any], body: bytes = b"") -> bytes:
    text = json.dumps(head).encode("ascii")
    return LENGTHS.pack(len(text), len(body)) + text + body


class Reader:
    """Takes bytes as they come, and gives whole messages."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._left = {"": LARGEST, "ask": ASKED, "answer": ASKED}

    def feed(self, part: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Raises Malformed for bytes of another make, and for too many of them."""
        self._content += part
        while len(self._content) >= LENGTHS.size:
            head_size, body_size = LENGTHS.unpack_from(self._content)
            if head_size > LARGEST_HEAD or body_size > LARGEST:
                raise Malformed("it sent what is no message")
            start = LENGTHS.size + head_size
            end = start + body_size
            if len(self._content) < end:
                return
            text = bytes(self._content[LENGTHS.size : start])
            body = bytes(self._content[start:end])
            del self._content[:end]
            head = read_head(text)
            self._count(head.get("say"), end)
            yield head, body

    def _count(self, say: Any, size: int) -> None:
        """Questions and their answers have an allowance of their own."""
        kind = say if say in ("ask", "answer") else ""
        self._left[kind] -= size
        if self._left[kind] < 0:
            raise Malformed("it sent more than any answer needs")


def read_head(text: bytes) -> dict[str, Any]:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("it sent what is no message") from None
    if not isinstance(head, dict):
        raise Malformed("it sent what is no message")
    return head
