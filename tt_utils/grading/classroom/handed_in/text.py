"""Text that comes from students, made fit to be written down and to be looked at."""

import re

# Escapes, which a terminal obeys, and marks that turn the rest of a line around.
COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def writable(text: str) -> str:
    """Put "?" for half a character (a lone surrogate), which no file takes."""
    return text.encode("utf-8", "replace").decode()


def shown(text: str) -> str:
    """Put "�" for what can't be seen and changes how the rest is shown."""
    return COMMANDS.sub("�", writable(text))
