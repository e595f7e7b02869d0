"""Who is in the class: a table with a header, as course systems export it."""

import codecs
import csv
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

COLUMNS = {
    "student": (
        "student id",
        "id",
        "id number",
        "sid",
        "login",
        "username",
        "sis id",
        "student",
    ),
    "login": ("username", "login", "sis login id"),
    "name": ("name", "full name", "student name", "student"),
    "email": ("email", "e-mail", "email address", "e-mail address", "mail"),
    "file": ("file", "file name", "filename", "submission"),
    "first": ("first name", "given name", "firstname"),
    "last": ("last name", "surname", "family name", "lastname"),
}
POINTS_ROW = "points possible"  # the second line of a gradebook of Canvas
WORD = re.compile(r"[^\W_]+")
KINDS = range(1, 6)  # of a person's keys, but for the file


class BadRoster(ValueError):
    """The roster can't be read; the message is one sentence."""


@dataclass(frozen=True)
class Person:
    """Someone in the class. `keys` are the names that a file of theirs may carry."""

    student: str
    name: str = ""
    email: str = ""
    file: str = ""
    login: str = ""

    @property
    def called(self) -> str:
        """A name, on any roster."""
        return self.name or self.student

    @property
    def keys(self) -> tuple[str, ...]:
        return (
            self.file,
            self.student,
            self.login,
            self.email,
            self.email.split("@")[0],
            self.name,
        )


def read_roster(path: Path) -> list[Person]:
    """Everyone on it, in its order. Raises BadRoster.

    Who has neither id nor e-mail is known by the name, so that nobody gets lost.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadRoster(
            f"The roster {path} cannot be read: {error.strerror}."
        ) from None
    text = in_letters(content)
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:5000], ",;\t")
    except csv.Error:
        dialect = "excel"
    try:
        rows = list(csv.reader(text.splitlines(), dialect))
    except csv.Error as error:
        raise BadRoster(f"The roster {path} is no table: {error}.") from None
    header = [cell.strip().casefold() for cell in rows[0]] if rows else []
    places = {
        column: next((header.index(name) for name in names if name in header), None)
        for column, names in COLUMNS.items()
    }
    if places["student"] is None and places["email"] is None:
        raise BadRoster(
            f"The roster {path} has no column “student id”, “id” or “email” in its "
            "first line."
        )
    people: dict[str, Person] = {}
    for row in rows[1:]:
        cell = {
            column: row[place].strip() if place is not None and place < len(row) else ""
            for column, place in places.items()
        }
        name = cell["name"] or f"{cell['first']} {cell['last']}".strip()
        student = cell["student"] or cell["email"] or name
        if not student or name.casefold() == POINTS_ROW:
            continue
        person = Person(student, name, cell["email"], cell["file"], cell["login"])
        before = people.setdefault(student, person)
        if before.name.casefold() != name.casefold():
            raise BadRoster(
                f"The roster {path} has {student} twice: {before.name} and {name}."
            )
    return list(people.values())


def in_letters(content: bytes) -> str:
    """The text of a roster: Blackboard writes UTF-16, Excel in the west cp1252."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def person_of(path: str, roster: list[Person]) -> Person | None:
    """Whose submission it is: by the file's name or a folder's, if it is only one's.

    A name fits where its words stand in it as whole words: `ada_05.ipynb` is ada's, and
    not adam's. The most telling sort of name decides: a file, then an id, an e-mail. A
    folder, which course systems make, comes before the file's name, which a student
    chooses.
    """
    *folders, name = PurePosixPath(path).parts or ("",)
    names = [name, PurePosixPath(path).stem]
    for kind, texts in (
        (0, [path, *folders, *names]),  # a roster may name files with their folders
        *((kind, folders) for kind in KINDS),
        *((kind, names) for kind in KINDS),
    ):
        places = [spaced(text) for text in texts]
        fitting = [
            person
            for person in roster
            if (key := spaced(person.keys[kind])).strip()
            and any(key in place for place in places)
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            return max_unique(fitting, kind)
    return None


def max_unique(fitting: list[Person], kind: int) -> Person | None:
    """Of several that fit, the one whose name holds all others'."""
    longest = max(fitting, key=lambda person: len(person.keys[kind]))
    key = spaced(longest.keys[kind])
    whole = all(spaced(p.keys[kind]) in key for p in fitting)
    same = sum(p.keys[kind] == longest.keys[kind] for p in fitting)
    return longest if whole and same == 1 else None


@cache
def spaced(text: str) -> str:
    """The words of a text between spaces, so that only whole words are found in it."""
    found = WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(found)} "
