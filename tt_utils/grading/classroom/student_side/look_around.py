# Runs as a notebook's only cell, before any submission does, with KNOWN set: digests
# of files that hold answers, by their sizes. It raises the first place where the book
# can be imported, or where such a file lies, under whatever name.
import hashlib
import os
import stat
import sys
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder

PACKAGE, ARCHIVES = "tt_utils", (".whl", ".zip", ".gz", ".egg")
STAGED = sys.path[0]  # what the grader itself has sent
NOT_FILES = {"/proc", "/sys", "/dev", STAGED}
PLAIN = (BuiltinImporter, FrozenImporter, PathFinder)


class InSight(Exception):
    pass


def importable():
    """Where `tt_utils` would come from, but for what was sent; "" if nowhere."""
    spec = PathFinder.find_spec("tt_utils", sys.path[1:])
    others = [
        f for f in sys.meta_path if f not in PLAIN and not hasattr(f, "exec_module")
    ]
    specs = [spec, *(finder.find_spec("tt_utils", None) for finder in others)]
    found = [one.origin or str(one.submodule_search_locations) for one in specs if one]
    # An empty place that hides our package is a package without a file.
    return next((place for place in found if "_NamespacePath" not in place), "")


def lies_about(folder):
    """The first file in sight that is the book's."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return ""
    for entry in entries:
        try:
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.path not in NOT_FILES and (below := lies_about(entry.path)):
                    return below
            elif is_ours(entry):
                return entry.path
        except OSError:
            continue
    return ""


def is_ours(entry):
    facts = entry.stat()
    if not stat.S_ISREG(facts.st_mode):
        return False
    if PACKAGE in entry.path.split("/")[:-1]:
        return True
    if entry.name.startswith("transformer_textbook") and entry.name.endswith(ARCHIVES):
        return True
    if facts.st_size not in KNOWN:
        return False
    with open(entry.path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() in KNOWN[facts.st_size]


if found := importable() or lies_about("/"):
    raise InSight(found)
