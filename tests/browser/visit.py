"""One visit to a page in a real browser, and what was wrong there."""

from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page

NARROWEST = 320
PATIENCE = 120_000  # ms; two browsers may share a slow machine with other work

READY = """async () => {
  await document.fonts.ready;
  for (const answer of document.querySelectorAll("article details")) answer.open = true;
}"""

# What follows a prediction, for a visitor who came for something else.
UNVEIL = """() => {
  for (const veil of document.querySelectorAll(".tt-veil")) veil.open = true;
}"""

# The window has this width, and what the page does about it is done.
SETTLED = """async (width) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (innerWidth !== width) await frame();
  await frame();
  await frame();
}"""

FORMULAS = """() => [...document.querySelectorAll(".math")]
  .filter(f => !f.querySelector("math") || f.querySelector("merror"))
  .map(f => f.textContent.trim().slice(0, 60))"""

# Whatever sticks out of the window or of the column of text, unless a parent of it
# scrolls by itself.
TOO_WIDE = """() => {
  const column = document.querySelector(".bd-article-container");
  const page = document.documentElement;
  if (page.scrollWidth <= innerWidth && column.scrollWidth <= column.clientWidth)
    return [];
  const scrolls = e => e !== column && e !== document.body
    && ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX);
  const held = e => {
    for (let p = e.parentElement; p && p !== page; p = p.parentElement)
      if (scrolls(p)) return true;
    return false;
  };
  const edge = Math.min(innerWidth, column.getBoundingClientRect().right);
  return [...column.querySelectorAll("*")]
    .filter(e => e.getBoundingClientRect().right > edge + 1 && !held(e))
    .slice(-3).map(e => e.outerHTML.slice(0, 100))
    .concat(`the page is ${page.scrollWidth} px wide`);
}"""

# Nearly all of axe's time goes into contrast, text by text. Texts of one colour, size
# and weight, on the same backgrounds, have the same contrast: one of them is marked and
# stands for all. What is placed apart from the flow of text stands for itself only.
#
# axe takes a table header that is one formula for an empty one: it reads no MathML.
AXE = """async (part) => {
  const looks = new Map([[null, ""]]);
  const behind = e => {
    if (!looks.has(e)) {
      const s = getComputedStyle(e);
      const own = [
        [s.backgroundColor, "rgba(0, 0, 0, 0)"],
        [s.backgroundImage, "none"],
        [s.opacity, "1"],
        [s.mixBlendMode, "normal"],
        [s.filter, "none"],
      ].filter(([value, usual]) => value !== usual).map(([value]) => value);
      if (["absolute", "fixed"].includes(s.position)) own.push(`place ${looks.size}`);
      const parent = e.parentElement ?? e.getRootNode().host ?? null;
      looks.set(e, [behind(parent), ...own].join(" "));
    }
    return looks.get(e);
  };
  const seen = new Set();
  const mark = root => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) mark(e.shadowRoot);
      const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
      if (!text && !e.matches("input, select, textarea")) continue;
      if (!e.checkVisibility()) continue;
      const s = getComputedStyle(e);
      const look = [behind(e), s.color, s.fontSize, s.fontWeight, s.textShadow,
        s.visibility].join();
      e.toggleAttribute("data-look", !seen.has(look));
      seen.add(look);
    }
  };
  mark(document);
  axe.configure({rules: [{id: "color-contrast", selector: "[data-look]"}]});
  const options = {resultTypes: ["violations"], preload: false};
  const result = await axe.run(part ?? document, options);
  const formula = node => document.querySelector(node.target[0])?.querySelector("math");
  return result.violations
    .map(v => ({...v, nodes: v.id !== "empty-table-header" ? v.nodes
      : v.nodes.filter(node => !formula(node))}))
    .filter(v => v.nodes.length)
    .map(v => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 3)
      .map(node => node.html.slice(0, 120)).join(" and "));
}"""


def findings(context: BrowserContext, address: str, name: str, theme: str) -> list[str]:
    """What a reader of this page would stumble over; empty if all is well."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    found = []
    page.on("console", lambda message: found.extend(console(message)))
    page.on("pageerror", lambda error: found.append(f"script error: {error}"))
    page.on("request", lambda request: found.extend(outside(request.url, address)))
    page.on(
        "response",
        lambda answer: (
            answer.status >= 400
            and found.append(f"asks for {answer.url}, which is not there")
        ),
    )
    page.goto(f"{address}/{name}.html", wait_until="load")
    page.evaluate(READY)
    page.evaluate(SETTLED, page.viewport_size["width"])
    shown = page.evaluate("document.documentElement.dataset.theme")
    if shown != theme:
        found.append(f"shows the {shown} theme to a reader who wants {theme}")
    found += [f"formula not drawn: {text}" for text in page.evaluate(FORMULAS)]
    found += too_wide(page)
    page.evaluate(AXE_SCRIPT)
    found += [f"accessibility: {line}" for line in page.evaluate(AXE)]
    page.close()
    return found


def too_wide(page: Page) -> list[str]:
    """What sticks out sideways, in this window and, on a phone, in the narrowest."""
    found = [f"too wide: {element}" for element in page.evaluate(TOO_WIDE)]
    size = page.viewport_size
    if size["width"] < 500:
        resize(page, {**size, "width": NARROWEST})
        wide = page.evaluate(TOO_WIDE)
        found += [f"too wide at {NARROWEST} px: {element}" for element in wide]
        resize(page, size)
    return found


def resize(page: Page, size) -> None:
    page.set_viewport_size(size)
    page.evaluate(SETTLED, size["width"])


def console(message) -> list[str]:
    return [f"console: {message.text}"] if message.type == "error" else []


def outside(url: str, address: str) -> list[str]:
    parts = urlsplit(url)
    at_home = parts.scheme in ("data", "blob") or url.startswith(address + "/")
    return [] if at_home else [f"asks another host: {url}"]
