"""What was handed in: a folder or a zip of notebooks, and who they are from.

A student's zip inside is opened too; one inside that is not. Nothing is unpacked onto
the disk. A path that leads out, a link, a bomb, a file that is too large: each becomes
a submission with a sentence instead of a content.
"""

import hashlib
import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path, PurePosixPath

from tt_utils.grading.classroom.handed_in.roster import Person, person_of
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.handed_in.text import writable

MIB = 2**20
LARGEST = 20 * MIB  # bytes of one notebook
MOST = 10_000  # files
MOST_INSIDE = 30  # notebooks in a zip that a student handed in
SKIPPED = {".ipynb_checkpoints", "__MACOSX", ".git", "__pycache__"}
SYSTEMS = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}  # nobody's work
TOO_LARGE = f"The file is larger than {LARGEST // MIB} MB; its outputs may be cleared."
LEADS_OUT = "The path leads out of the archive; it was not read."
IS_LINK = "The file is a link, which is not followed; hand in the notebook itself."
ENCRYPTED = 0x1
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others are unpacked whole
ODD = "It is compressed in an unusual way; zip it again, or hand it in as it is."
DAMAGED = "The zip is damaged; hand in the notebook itself."
NESTED = "The zip holds another zip; hand in the notebook itself."
TOO_MANY = (
    f"The zip holds more than {MOST_INSIDE} notebooks; hand in what is asked for."
)
TWICE = "Another file has the same name."
CHANGED = "The file has changed since the run began; run the same command again."


class NoSubmissions(ValueError):
    """Nothing there that could be graded; the message says why."""


@dataclass(frozen=True)
class Found:
    """What was handed in.

    Attributes:
        submissions: all notebooks in the order of their paths, then who handed in none.
        not_taken: what is no notebook, by its path, and who it is from, "" if nobody
            on the roster; of a folder such as .ipynb_checkpoints the folder alone.
    """

    submissions: tuple[Submission, ...]
    not_taken: dict[str, str]


def found_in(place: Path, roster: list[Person]) -> Found:
    """All that a folder or a zip holds. Raises NoSubmissions.

    The notebooks' contents are left where they are until `loaded`.
    """
    if place.is_dir():
        everything = list(in_folder(place))
    elif zipfile.is_zipfile(place):
        everything = list(in_zip(place))
    elif place.suffix == ".ipynb" and place.is_file():
        everything = [unloaded(from_file(place, place.name), place)]
    elif place.exists():
        raise NoSubmissions(f"{place} is neither a folder nor a zip nor a notebook.")
    else:
        raise NoSubmissions(
            f"There is no {place}; give a folder or a zip of notebooks."
        )
    notebooks = sorted(
        (one for one in everything if isinstance(one, Submission)), key=path_of
    )
    if not notebooks:
        raise NoSubmissions(f"{place} holds no notebook (no name ends in .ipynb).")
    whose = cache(partial(person_of, roster=roster))
    named = [with_person(one, notebooks, whose) for one in told_apart(notebooks)]
    others = {
        path: whose(zip_above(path) or path)
        for path in sorted({one for one in everything if isinstance(one, str)})
        if PurePosixPath(path).name not in SYSTEMS
    }
    return Found(
        (*named, *missing(named, others, roster)),
        {path: who.called if who else "" for path, who in others.items()},
    )


def told_apart(notebooks: list[Submission]) -> Iterator[Submission]:
    """No two of one path: whatever comes later is not graded, and says so."""
    seen: set[str] = set()
    for one in notebooks:
        path = one.path
        if path in seen:
            while path in seen:
                path += " (again)"
            one = Submission(path, problem=TWICE)
        seen.add(path)
        yield one


def zip_above(path: str) -> str:
    """The path of the student's zip that holds a file; "" if none does."""
    parts = path.split("/")
    ends = [n for n, part in enumerate(parts[:-1], 1) if is_zip(part)]
    return "/".join(parts[: ends[0]]) if ends else ""


def path_of(submission: Submission) -> str:
    return submission.path


def unloaded(one: Submission, place: Path, entry: tuple[int, ...] = ()) -> Submission:
    """Hundreds of contents would fill the memory."""
    return replace(one, content=b"", place=place, entry=entry)


def loaded(one: Submission) -> Submission:
    """With its content, read again from where it lies."""
    if one.place is None or one.problem:
        return one
    try:
        if one.entry:
            with zipfile.ZipFile(one.place) as archive:
                read = at_entry(archive, one.entry, one.path)
            if read.sha256 != one.sha256:
                read = Submission(one.path, problem=CHANGED)
        else:
            read = from_file(one.place, one.path)
    except Exception:  # it is gone, or no zip any more
        read = Submission(one.path, problem=CHANGED)
    return replace(
        one, content=read.content, sha256=read.sha256, problem=read.problem, place=None
    )


def at_entry(archive: zipfile.ZipFile, entry: tuple[int, ...], name: str) -> Submission:
    """The file with this number in a zip, or in the zip with this number in it."""
    read = from_entry(archive, archive.infolist()[entry[0]], name)
    if read.problem or len(entry) == 1:
        return read
    with zipfile.ZipFile(io.BytesIO(read.content)) as inner:
        return at_entry(inner, entry[1:], name)


def in_folder(place: Path) -> Iterator[Submission | str]:
    """Notebooks in any folder below, and the paths of what is none.

    Links are named, not followed.
    """
    for folder, folders, names in os.walk(place):
        for name in SKIPPED & {*folders}:
            path = (Path(folder) / name).relative_to(place).as_posix()
            yield f"{clean(path)}/"
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        folders[:] = sorted(set(folders) - SKIPPED - set(linked))
        for name in linked:
            path = (Path(folder) / name).relative_to(place).as_posix()
            yield Submission(clean(path), problem=IS_LINK)
        for name in sorted(names):
            path = Path(folder) / name
            short = path.relative_to(place).as_posix()
            if is_notebook(name):
                yield unloaded(from_file(path, short), path)
            elif is_zip(name):
                yield from in_inner_zip(from_file(path, short), path, ())
            else:
                yield clean(short)


def is_zip(name: str) -> bool:
    return name.lower().endswith(".zip") and not name.startswith("._")


def is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb") and not name.startswith("._")


def from_file(path: Path, name: str) -> Submission:
    """Reads a file without following a link, waiting for a pipe, or too much."""
    name = clean(name)
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT)
    except OSError as error:
        if path.is_symlink():
            return Submission(name, problem=IS_LINK)
        return Submission(name, problem=f"The file cannot be read: {error.strerror}.")
    with os.fdopen(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            return Submission(name, problem="That is no file but something else.")
        try:
            content = file.read(LARGEST + 1)
        except OSError as error:
            problem = f"The file cannot be read: {error.strerror}."
            return Submission(name, problem=problem)
    return with_content(name, content)


NO_FOLLOW, NO_WAIT = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))


def with_content(name: str, content: bytes) -> Submission:
    if len(content) > LARGEST:
        return Submission(name, problem=TOO_LARGE)
    digest = hashlib.sha256(content).hexdigest()
    return Submission(name, content=content, sha256=digest)


def in_zip(place: Path) -> Iterator[Submission | str]:
    """Reads the notebooks in a zip, one after another, in memory; names the rest."""
    try:
        archive = zipfile.ZipFile(place)
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise NoSubmissions(f"{place} cannot be read as a zip: {error}.") from None
    with archive:
        if len(archive.infolist()) > MOST:
            raise NoSubmissions(f"{place} holds more than {MOST:,} files.")
        yield from in_archive(archive, place)


def in_inner_zip(
    read: Submission, place: Path, above: tuple[int, ...]
) -> list[Submission | str]:
    """What a student's zip holds, or why it is not opened."""
    problem, found = read.problem, []
    if not problem:
        try:
            with zipfile.ZipFile(io.BytesIO(read.content)) as archive:
                problem = too_much(archive)
                if not problem:
                    found = list(in_archive(archive, place, f"{read.path}/", above))
        except Exception:  # whatever a broken zip leads to
            problem = DAMAGED
    if not problem and not any(isinstance(one, Submission) for one in found):
        if not any(map(is_zip, found)):
            return [read.path]
        problem = NESTED
    return [Submission(read.path, problem=problem)] if problem else found


def too_much(archive: zipfile.ZipFile) -> str:
    """Why a student's zip is too much to be read, "" if it isn't."""
    if len(archive.infolist()) > MOST:
        return f"The zip holds more than {MOST:,} files."
    paths = map(path_in, archive.infolist())
    notebooks = [p for p in paths if is_notebook(p.name) and not SKIPPED & {*p.parts}]
    return TOO_MANY if len(notebooks) > MOST_INSIDE else ""


def in_archive(
    archive: zipfile.ZipFile, place: Path, prefix: str = "", above: tuple[int, ...] = ()
) -> Iterator[Submission | str]:
    """What a zip holds; `above` are the numbers of the zips that it lies in itself."""
    for number, entry in enumerate(archive.infolist()):
        path = path_in(entry)
        name = clean(f"{prefix}{path}")
        skipped = next((n for n, p in enumerate(path.parts) if p in SKIPPED), None)
        if skipped is not None:
            yield f"{clean(prefix + '/'.join(path.parts[: skipped + 1]))}/"
        elif not path.name or entry.filename.endswith("/"):
            continue  # a folder, or no name at all
        elif is_zip(path.name) and not prefix:
            yield from in_inner_zip(
                from_entry(archive, entry, name), place, (*above, number)
            )
        elif is_notebook(path.name):
            read = from_entry(archive, entry, name)
            yield unloaded(read, place, (*above, number))
        else:
            yield name


def path_in(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Its path, also where Windows wrote it."""
    return PurePosixPath(entry.filename.replace("\\", "/"))


def from_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str
) -> Submission:
    path = path_in(entry)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return Submission(name, problem=LEADS_OUT)
    if stat.S_ISLNK(entry.external_attr >> 16):
        return Submission(name, problem=IS_LINK)
    if entry.flag_bits & ENCRYPTED:
        return Submission(name, problem="The file is encrypted; hand it in without.")
    if entry.compress_type not in BOUNDED:
        return Submission(name, problem=ODD)
    if entry.file_size > LARGEST:
        return Submission(name, problem=TOO_LARGE)
    try:
        with archive.open(entry) as file:  # the size it states may be a lie
            return with_content(name, file.read(LARGEST + 1))
    except Exception:  # whatever a broken entry leads to
        return Submission(name, problem="The file is damaged inside the zip.")


def clean(name: str) -> str:
    """A name that can be written down anywhere: no odd bytes, no control characters."""
    return "".join(c if c.isprintable() else "�" for c in writable(name))[:500]


def with_person(
    submission: Submission,
    others: list[Submission],
    whose: Callable[[str], Person | None],
) -> Submission:
    # Names inside a student's zip are the student's choice; where it lies is not.
    place = zip_above(submission.path) or submission.path
    person = whose(place) or whose(submission.path)
    if person is not None:
        return replace(
            submission, student=person.student, name=person.called, email=person.email
        )
    path = PurePosixPath(submission.path)
    # A folder a student, as course systems make them; else the file's own name.
    tops = [other.path.split("/")[0] for other in others]
    top = path.parts[0]
    if len(path.parts) > 1 and tops.count(top) == 1 and len(set(tops)) > 1:
        return replace(submission, student=top[:-4] if is_zip(top) else top)
    return replace(submission, student=path.with_suffix("").as_posix())


def missing(
    found: list[Submission], others: dict[str, Person | None], roster: list[Person]
) -> Iterator[Submission]:
    """A row for each person who handed in no notebook."""
    there = {submission.student for submission in found}
    for person in roster:
        if person.student in there:
            continue
        theirs = [path for path, whose in others.items() if whose == person]
        problem = "Nothing was handed in."
        if theirs:
            problem = f"No notebook was handed in, but {' and '.join(theirs[:3])}."
        who = (person.student, person.called, person.email)
        yield Submission("", *who, problem=problem)
