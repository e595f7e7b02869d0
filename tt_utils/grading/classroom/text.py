"""Text that comes from students, made fit to be written down."""


def writable(text: str) -> str:
    """Put "?" for half a character (a lone surrogate), which no file takes."""
    return text.encode("utf-8", "replace").decode()
