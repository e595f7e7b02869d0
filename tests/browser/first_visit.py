"""A reader's first visit to a page of the book, over Lighthouse's "Slow 4G".

Text can be read once it has been painted in its colours, even if in the stand-in font:
that has the measures of the book's own, so that nobody who reads loses the place. Where
the page jumps, the text can be read only when its fonts have come.
"""

import base64
import gzip
import http.server
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import browser
from playwright.sync_api import Browser, BrowserContext, Page

# https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
SLOW_4G = {
    "offline": False,
    "latency": 150,  # ms
    "downloadThroughput": 1_600_000 / 8,  # bytes per second
    "uploadThroughput": 750_000 / 8,
}
SLOW_CPU = 4
VIEW = {"width": 1280, "height": 900}
STILL = 0.05  # a page that shifts no more than this stays where it is
FILM = 3_000  # ms
PATIENCE = 60_000  # ms

# Runs before the page's own scripts.
WATCH = """(() => {
  const seen = (globalThis.visit = { shift: 0, text: null, fonts: null, live: null });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const figure = document.querySelector("tt-film");
    if (figure?.result?.words.length) seen.live = performance.now();
    else setTimeout(look, 20);
  };
  look();
  // No paint comes before the style sheet, so the first has the page's colours.
  new PerformanceObserver((list) => {
    for (const { element, startTime } of list.getEntries())
      if (element?.closest("article")) seen.text ??= startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const frame = () => {
    const fonts = [...document.fonts].filter(({ status }) => status !== "unloaded");
    // A font of the computer's own that it has not got is not waited for.
    const come = fonts.length && fonts.every(({ status }) => status !== "loading");
    if (seen.text && come) seen.fonts = Math.max(seen.text, performance.now());
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()"""
TAB_STOPS = """() => {
  const title = document.querySelector("h1:not(#jb-print-docs-body h1)");
  const can = "a[href], button, input, select, textarea, summary, [tabindex]";
  return [...document.querySelectorAll(can)].filter((e) =>
    e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true })
    && e.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING
  ).map((e) => (e.ariaLabel || e.title || e.textContent).trim().slice(0, 40));
}"""


@dataclass
class Visit:
    """What one visit cost, in bytes and milliseconds."""

    sent: dict[str, int] = field(default_factory=dict)
    text_ms: float = 0
    fonts_ms: float = 0
    live_ms: float | None = None
    shift: float = 0

    @property
    def bytes(self) -> int:
        """What travels, without the notebook's pictures."""
        return sum(size for path, size in self.sent.items() if "/_images/" not in path)

    def __str__(self) -> str:
        read = self.text_ms if self.shift <= STILL else self.fonts_ms
        told = f"{self.bytes / 1000:.0f} KB, can be read after {read / 1000:.2f} s"
        if self.live_ms:
            told += f", its figures live after {self.live_ms / 1000:.2f} s"
        return told


class GzipHandler(browser.QuietHandler):
    """Serves as hosts do: text travels compressed, and nothing is asked for twice."""

    protocol_version = "HTTP/1.1"
    TEXT = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".xml", ".txt")

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix not in self.TEXT or not path.is_file():
            super().do_GET()
            return
        body = compressed(path)
        self.send_response(http.server.HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(body)


@lru_cache(maxsize=512)
def compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


def newcomer(
    chromium: Browser, *, slow: bool, **options
) -> tuple[BrowserContext, Page]:
    """Someone who is here for the first time, on a slow line or not."""
    context = chromium.new_context(**{"viewport": VIEW, **options})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(WATCH)
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_4G)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    return context, page


def visit(chromium: Browser, address: str, *, slow: bool = True) -> Visit:
    """Open the page as a newcomer and wait until it is at rest."""
    context, page = newcomer(chromium, slow=slow)
    found = Visit()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    paths: dict[str, str] = {}

    def begun(event: dict) -> None:
        paths[event["requestId"]] = urlsplit(event["response"]["url"]).path

    def ended(event: dict) -> None:
        path = paths.get(event["requestId"], "?")
        found.sent[path] = found.sent.get(path, 0) + round(event["encodedDataLength"])

    session.on("Network.responseReceived", begun)
    session.on("Network.loadingFinished", ended)
    page.goto(address, wait_until="load")
    page.wait_for_function("visit.fonts")
    if page.locator("tt-film").count():
        page.wait_for_function("visit.live !== null")
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("visit")
    found.text_ms, found.fonts_ms = seen["text"], seen["fonts"]
    found.live_ms = seen["live"]
    found.shift = seen["shift"]
    context.close()
    return found


def film(chromium: Browser, address: str, scheme: str) -> list[bytes]:
    """Every picture that the browser shows in the first seconds over a slow line."""
    context, page = newcomer(chromium, slow=True, color_scheme=scheme)
    session = context.new_cdp_session(page)
    frames = []

    def shown(event: dict) -> None:
        frames.append(base64.b64decode(event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", shown)
    session.send("Page.startScreencast", {"format": "png"})
    page.goto(address, wait_until="commit")
    frames.clear()  # what stood there before
    page.wait_for_timeout(FILM)
    patience = PATIENCE
    while not frames and patience > 0:  # a busy machine draws late
        page.wait_for_timeout(FILM)
        patience -= FILM
    context.close()
    return frames


def tab_stops(chromium: Browser, address: str) -> list[str]:
    """The names of what the tab key reaches before the page's title."""
    context, page = newcomer(chromium, slow=False)
    page.goto(address)
    found = page.evaluate(TAB_STOPS)
    context.close()
    return found
