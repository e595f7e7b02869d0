"""Serve the built book on this computer. Builds nothing."""

import argparse
import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Files as they are now, without a line for each request."""

    extensions_map = {  # noqa: RUF012 - the base class has the same
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *args) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    # Otherwise two servers may share a port on some systems, and one wins by chance.
    allow_reuse_port = False

    def handle_error(self, request, address) -> None:
        """A reader who leaves a page before it has loaded is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def server(folder: Path, port: int = 0) -> http.server.ThreadingHTTPServer:
    """A server of `folder` on this computer only; port 0 takes any free port."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    return Server((HOST, port), handler)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve `folder` meanwhile, at the address that this gives."""
    one = server(folder)
    thread = threading.Thread(target=one.serve_forever)
    thread.start()
    try:
        yield f"http://{HOST}:{one.server_port}"
    finally:
        one.shutdown()
        thread.join()
        one.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    folder = ROOT / "_build" / "html"
    if not (folder / "index.html").is_file():
        sys.exit("There is no built book in _build/html; build it with make book.")
    try:
        book = server(folder, port)
    except (OSError, OverflowError) as error:
        sys.exit(
            f"The book can't be served on port {port} ({error}); "
            f"choose another port, for example: make book PORT={port % 60000 + 1}"
        )
    print("Serving the book; stop with Ctrl-C.")
    print(f"http://{HOST}:{book.server_port}/", flush=True)
    try:
        book.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
