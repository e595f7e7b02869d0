"""One script out of the figures' modules, for where a single file must do."""

import re
from pathlib import Path

STATIC = Path(__file__).parent / "static"
MODEL = STATIC / "model"  # the trained model that the figures calculate with
EVERYDAY = STATIC / "everyday"  # that of the first page: it knows a phrasebook, too
IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"\./([a-z-]+)\.mjs";\n', re.M)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.M)
LISTED = re.compile(r"^export \{([^}]*)\};\n", re.M)
LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


def bundle(entry: str) -> str:
    """Join a module and all that it imports; its own exports stay exports.

    Every other module becomes a function that is called once, so that names can't
    collide. It understands the two forms of import and export that the modules use.

    Raises:
        ValueError: a module imports or exports in another form.
    """
    order: list[str] = []
    collect(entry, order)
    return "".join([*map(wrapped, order[:-1]), with_imports(source(entry))])


def collect(name: str, order: list[str]) -> None:
    """List the modules so that each stands after those that it imports."""
    for _, other in IMPORT.findall(source(name)):
        if other not in order:
            collect(other, order)
    order.append(name)


def source(name: str) -> str:
    return (STATIC / f"{name}.mjs").read_text(encoding="utf-8")


def variable(name: str) -> str:
    return f"{name.replace('-', '_')}_mjs"


def with_imports(text: str) -> str:
    """Take imported names from the variables of other modules."""
    return IMPORT.sub(
        lambda found: f"const {found[1]} = {variable(found[2])};\n" if found[1] else "",
        text,
    )


def wrapped(name: str) -> str:
    """Make a module a function that returns its exports."""
    text = with_imports(source(name))
    names = [found[1] for found in EXPORT.findall(text)]
    names += [
        one.strip() for listed in LISTED.findall(text) for one in listed.split(",")
    ]
    text = LISTED.sub("", EXPORT.sub(r"\1", text))
    if left := LEFT.search(text):
        raise ValueError(f"bundle: {name}.mjs has {left[0]!r}, a form that is unknown.")
    body = f"{text}return {{ {', '.join(names)} }};"
    return f"const {variable(name)} = (() => {{\n{body}\n}})();\n"
