"""Whatever lies in a folder or a zip becomes a row, and nothing is written."""

import io
import os
import stat
import zipfile

import pytest

from tt_utils.grading.classroom.handed_in import submissions as module
from tt_utils.grading.classroom.handed_in.roster import (
    BadRoster,
    Person,
    person_of,
    read_roster,
)
from tt_utils.grading.classroom.handed_in.submissions import (
    NoSubmissions,
    found_in,
    loaded,
)

CLASS = [
    Person("ada", "Ada Lovelace", "lovelace@example.org"),
    Person("17", "Alan Turing", "alan@example.org"),
    Person("adam", "Adam Smith"),
]


def zip_of(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def zipped(**files):
    content = io.BytesIO()
    return zip_of(content, **files).getvalue()


def by_path(found):
    return {one.path: one for one in found}


def test_a_folder_in_the_order_of_its_paths(folder, notebook):
    for name in ("b.ipynb", "a.ipynb", "c/deep/er.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(notebook(name))
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "a-checkpoint.ipynb").write_bytes(b"{}")
    (folder / "notes.txt").write_text("no notebook")
    found = found_in(folder, []).submissions
    assert [one.path for one in found] == ["a.ipynb", "b.ipynb", "c/deep/er.ipynb"]
    assert not any(one.content or one.problem for one in found)
    assert loaded(found[0]).content == notebook("a.ipynb")


def test_a_zip_is_read_where_it_lies(tmp_path, notebook):
    path = zip_of(
        tmp_path / "x.zip",
        **{
            "ada/05.ipynb": notebook(),
            "__MACOSX/ada/._05.ipynb": b"resource",
            "alan/05.IPYNB": notebook("1"),
        },
    )
    before = sorted(tmp_path.iterdir())
    found = found_in(path, []).submissions
    assert [(one.path, one.student) for one in found] == [
        ("ada/05.ipynb", "ada"),
        ("alan/05.IPYNB", "alan"),
    ]
    assert loaded(found[1]).content == notebook("1")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "name", ["../up.ipynb", "/etc/x.ipynb", "a/../../b.ipynb", "C:\\x.ipynb"]
)
def test_a_path_that_leads_out_of_a_zip(tmp_path, notebook, name):
    path = zip_of(tmp_path / "x.zip", **{name: notebook(), "good.ipynb": notebook()})
    bad, good = sorted(
        found_in(path, []).submissions, key=lambda one: one.path == "good.ipynb"
    )
    assert "leads out" in bad.problem
    assert not good.problem


def test_a_link_in_a_zip(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("link.ipynb")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    (found,) = found_in(path, []).submissions
    assert "link" in found.problem


def test_links_in_a_folder_are_not_followed(folder, tmp_path, notebook):
    (tmp_path / "secret.ipynb").write_bytes(notebook("secret"))
    (folder / "file.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (folder / "all").symlink_to(tmp_path)
    (folder / "nowhere.ipynb").symlink_to(tmp_path / "missing")
    found = found_in(folder, []).submissions
    assert len(found) == 3
    assert all("link" in one.problem for one in found)


def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.ipynb")
    (found,) = found_in(folder, []).submissions
    assert found.problem


def test_what_is_too_large_is_not_read(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1000)
    (folder / "big.ipynb").write_bytes(b"x" * 1001)
    assert "larger than" in found_in(folder, []).submissions[0].problem
    bomb = zip_of(tmp_path / "x.zip", **{"bomb.ipynb": b"0" * 10**7})
    assert "larger than" in found_in(bomb, []).submissions[0].problem


def test_a_zip_that_lies_about_its_sizes(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 10**6)
    path = zip_of(tmp_path / "x.zip", **{"bomb.ipynb": b"0" * 10**7})
    content = path.read_bytes()
    size = (10**7).to_bytes(4, "little")
    path.write_bytes(content.replace(size, (99).to_bytes(4, "little")))
    (found,) = found_in(path, []).submissions
    assert "damaged" in found.problem or "larger" in found.problem


def test_a_damaged_zip(tmp_path, notebook):
    path = zip_of(tmp_path / "x.zip", **{"a.ipynb": notebook("x" * 1000)})
    content = bytearray(path.read_bytes())
    content[60:90] = bytes(30)
    path.write_bytes(content)
    (found,) = found_in(path, []).submissions
    assert "damaged" in found.problem


@pytest.mark.parametrize("what", ["nothing", "empty", "text"])
def test_nothing_to_grade(tmp_path, what):
    place = tmp_path / "x"
    if what == "empty":
        place.mkdir()
    elif what == "text":
        place.write_text("hello")
    with pytest.raises(NoSubmissions, match="x"):
        found_in(place, [])


def test_odd_names(folder, notebook):
    (folder / "line\nbreak.ipynb").write_bytes(notebook())
    (folder / os.fsdecode(b"\xff.ipynb")).write_bytes(notebook())
    found = found_in(folder, []).submissions
    assert all(one.path.isprintable() for one in found)
    assert all(loaded(one).content == notebook() for one in found)


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("ada.ipynb", "ada"),
        ("ADA_05.ipynb", "ada"),
        ("05-adam-final.ipynb", "adam"),
        ("Turing, Alan (17_3)/x.ipynb", "17"),
        ("ada and 17.ipynb", None),
        ("Ada Lovelace_assignsubmission_file/05.ipynb", "ada"),
        ("alan@example.org.ipynb", "17"),
        ("lovelace.ipynb", "ada"),
        ("madam.ipynb", None),
        ("05.ipynb", None),
        ("Ada Lovelace_99_assignsubmission_file_/17.ipynb", "ada"),
        ("adam/ada.ipynb", "adam"),
        ("zoe/17.ipynb", "17"),
        ("Ada Lovelace.ipynb", "ada"),
    ],
)
def test_whose_it_is(path, student):
    person = person_of(path, CLASS)
    assert (person and person.student) == student


def test_a_roster_may_name_a_file_with_its_folders():
    people = [Person("17", "X", file="group b/José Łukáš/final (2).ipynb")]
    assert person_of("group b/José Łukáš/final (2).ipynb", people) == people[0]
    assert person_of("group a/José Łukáš/final (2).ipynb", people) is None


def test_letters_in_two_parts_are_the_same_letters():
    """A Mac writes ü into a file's name as u and two dots."""
    people = [Person("17", "J\u00fcrgen M\u00fcller")]
    assert person_of("Ju\u0308rgen Mu\u0308ller.ipynb", people) == people[0]


def test_a_stranger_is_called_after_a_folder_of_their_own(folder, notebook):
    for path in ("lab/one.ipynb", "lab/two.ipynb", "zoe/x.ipynb"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(notebook())
    found = found_in(folder, []).submissions
    assert [one.student for one in found] == ["lab/one", "lab/two", "zoe"]


def test_who_handed_in_nothing_has_a_row(folder, notebook):
    (folder / "ada.ipynb").write_bytes(notebook())
    (folder / "stranger.ipynb").write_bytes(notebook())
    found = found_in(folder, CLASS).submissions
    assert [(one.path, one.student, one.name) for one in found] == [
        ("ada.ipynb", "ada", "Ada Lovelace"),
        ("stranger.ipynb", "stranger", ""),
        ("", "17", "Alan Turing"),
        ("", "adam", "Adam Smith"),
    ]
    assert all("Nothing" in one.problem for one in found[2:])


def test_a_roster_without_names_knows_its_people(folder, notebook):
    (folder / "17.ipynb").write_bytes(notebook())
    (folder / "x.ipynb").write_bytes(notebook())
    one, other, nobody = found_in(folder, [Person("17"), Person("18")]).submissions
    assert (one.student, one.name) == ("17", "17")
    assert other.name == ""
    assert nobody.name == "18"


@pytest.mark.parametrize(
    "text",
    [
        "Student ID,Name,Email\nada,Ada Lovelace,lovelace@example.org\n",
        "\ufeffname;sid;e-mail\nAda Lovelace;ada;lovelace@example.org\n",
        "last name\tfirst name\tid\temail\nLovelace\tAda\tada\tlovelace@example.org\n",
    ],
)
def test_rosters(tmp_path, text):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    assert read_roster(path) == CLASS[:1]


def test_a_roster_as_excel_saves_it_in_the_west_of_europe(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_bytes("id;name\n17;Jürgen Müller\n".encode("cp1252"))
    assert read_roster(path) == [Person("17", "Jürgen Müller")]


def test_a_gradebook_as_a_roster(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text('Student,ID,SIS User ID\n"Lovelace, Ada",12345,x\n')
    (ada,) = read_roster(path)
    assert (ada.student, ada.name) == ("12345", "Lovelace, Ada")


def test_a_gradebook_of_blackboard(tmp_path):
    path = tmp_path / "roster.csv"
    text = "Last Name\tFirst Name\tUsername\tStudent ID\nLovelace\tAda\talov\t4001\n"
    path.write_text(text, encoding="utf-16")
    (ada,) = read_roster(path)
    assert (ada.student, ada.name, ada.login) == ("4001", "Ada Lovelace", "alov")
    assert person_of("hw_alov_attempt_2026-11-02.ipynb", [ada]) == ada


def test_who_has_no_id_is_known_by_name(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("id,name\n17,Ada\n,Bob Ray\n,Cy\n17,Ada\n,Points Possible\n")
    assert [p.student for p in read_roster(path)] == ["17", "Bob Ray", "Cy"]


def test_one_id_of_two_people(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("ID number,First name,Last name\n17,Ada,Ray\n17,Bob,Ray\n")
    with pytest.raises(BadRoster, match="has 17 twice: Ada Ray and Bob Ray"):
        read_roster(path)


@pytest.mark.parametrize("text", ["", "colour,size\nred,3\n", "\0\0\0"])
def test_no_roster(tmp_path, text):
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(BadRoster, match="no column"):
        read_roster(path)


def test_what_is_no_notebook_is_named(folder, tmp_path, notebook):
    content = {
        "ada/05.ipynb": notebook(),
        "ada/.ipynb_checkpoints/05-checkpoint.ipynb": notebook(),
        "ada/.ipynb_checkpoints/06-checkpoint.ipynb": notebook(),
        "17/report.pdf": b"%PDF",
        "17/late.rar": b"Rar!",
        "notes.txt": b"",
    }
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    for place in (folder, zip_of(tmp_path / "x.zip", **content)):
        found = found_in(place, CLASS)
        assert found.not_taken == {
            "17/late.rar": "Alan Turing",
            "17/report.pdf": "Alan Turing",
            "ada/.ipynb_checkpoints/": "Ada Lovelace",
            "notes.txt": "",
        }
        problems = {one.student: one.problem for one in found.submissions}
        assert problems == {
            "ada": "",
            "17": "No notebook was handed in, but 17/late.rar and 17/report.pdf.",
            "adam": "Nothing was handed in.",
        }
        mails = [one.email for one in found.submissions]
        assert mails == ["lovelace@example.org", "alan@example.org", ""]


def test_a_zip_inside_is_opened(folder, tmp_path, notebook):
    """From a student who zipped a folder; the zip's or its folder's name says who."""
    inside = zipped(**{"hw/05.ipynb": notebook("1"), "hw/plot.png": b"", "hw/": b""})
    content = {
        "alan@example.org/hw.zip": inside,
        "lovelace.ZIP": zipped(**{"05.ipynb": notebook("2")}),
        "plain.ipynb": notebook("3"),
    }
    for name, data in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for place in (folder, zip_of(tmp_path / "x.zip", **content)):
        found = found_in(place, CLASS)
        assert found.not_taken == {"alan@example.org/hw.zip/hw/plot.png": "Alan Turing"}
        seen = [(o.path, o.student, loaded(o).content) for o in found.submissions]
        assert seen == [
            ("alan@example.org/hw.zip/hw/05.ipynb", "17", notebook("1")),
            ("lovelace.ZIP/05.ipynb", "ada", notebook("2")),
            ("plain.ipynb", "plain", notebook("3")),
            ("", "adam", b""),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "problem"),
    [
        ("damaged", "damaged"),
        ("a name that is no text", "damaged"),
        ("another zip", "another zip"),
        ("many notebooks", "more than 30 notebooks"),
        ("much", "larger than"),
        ("a link", "link"),
    ],
)
def test_why_a_zip_inside_is_not_opened(
    folder, tmp_path, notebook, monkeypatch, what, problem
):
    monkeypatch.setattr(module, "LARGEST", 10**5)
    named = zipped(**{"éé.ipynb": notebook()})
    inside = {
        "damaged": b"PK not really",
        "a name that is no text": named.replace("éé".encode(), b"\xff" * 4),
        "another zip": zipped(**{"b.zip": zipped(**{"05.ipynb": notebook()})}),
        "many notebooks": zipped(**{f"{n}.ipynb": notebook() for n in range(31)}),
        "much": zipped(**{"05.ipynb": notebook()}) + bytes(10**5),
    }
    (folder / "good.ipynb").write_bytes(notebook())
    if what == "a link":
        zip_of(tmp_path / "secret.zip", **{"05.ipynb": notebook("secret")})
        (folder / "a.zip").symlink_to(tmp_path / "secret.zip")
    else:
        (folder / "a.zip").write_bytes(inside[what])
        content = {"good.ipynb": notebook(), "a.zip": inside[what]}
        packed = found_in(zip_of(tmp_path / "x.zip", **content), [])
        assert problem in by_path(packed.submissions)["a.zip"].problem
    found = by_path(found_in(folder, []).submissions)
    assert problem in found["a.zip"].problem
    assert not found["good.ipynb"].problem


def test_a_zip_without_a_notebook_is_not_taken(folder, notebook):
    (folder / "good.ipynb").write_bytes(notebook())
    (folder / "a.zip").write_bytes(zipped(**{"05.pdf": b""}))
    found = found_in(folder, [])
    assert found.not_taken == {"a.zip": ""}
    assert len(found.submissions) == 1


def test_what_a_course_system_or_git_leaves_in_a_zip_does_not_count(folder, notebook):
    files = {f".git/{n}.ipynb": b"" for n in range(200)} | {"05.ipynb": notebook()}
    (folder / "a.zip").write_bytes(zipped(**files))
    found = found_in(folder, [])
    assert [one.path for one in found.submissions] == ["a.zip/05.ipynb"]
    assert found.not_taken == {"a.zip/.git/": ""}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_what_is_unpacked_bit_by_bit_is_unpacked(folder, method):
    """4 GiB of zeros are 3 kB of bzip2, and Python unpacks that whole."""
    with zipfile.ZipFile(folder / "a.zip", "w", method) as archive:
        archive.writestr("bomb.ipynb", bytes(10**6))
    (found,) = found_in(folder, []).submissions
    assert "unusual" in found.problem


def test_odd_entries_of_a_zip_harm_nobody(folder, notebook):
    for n, name in enumerate((b"\0", b" ", b".", b"/")):
        content = zipped(**{"05.ipynb": notebook(), "Name": b""})
        (folder / f"{n}.zip").write_bytes(content.replace(b"Name", 4 * name))
    found = found_in(folder, []).submissions
    assert [loaded(one).content for one in found] == [notebook()] * 4


def test_names_inside_a_zip_do_not_say_whose_it_is(folder, notebook):
    """Else one student could hand in for another."""
    (folder / "alan@example.org").mkdir()
    files = {"ada/05.ipynb": notebook(), "../adam.ipynb": notebook()}
    (folder / "alan@example.org" / "hw.zip").write_bytes(zipped(**files))
    (folder / "unknown.zip").write_bytes(zipped(**{"ada.ipynb": notebook("1")}))
    found = by_path(found_in(folder, CLASS).submissions)
    assert found["alan@example.org/hw.zip/ada/05.ipynb"].student == "17"
    assert found["alan@example.org/hw.zip/../adam.ipynb"].student == "17"
    assert found["unknown.zip/ada.ipynb"].student == "ada"


def test_a_stranger_is_called_after_their_zip(folder, notebook):
    for name in ("zoe.zip", "yan.ZIP"):
        (folder / name).write_bytes(zipped(**{"05.ipynb": notebook()}))
    found = found_in(folder, []).submissions
    assert [one.student for one in found] == ["yan", "zoe"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_of_one_name_are_told_apart(tmp_path, notebook):
    inside = zipped(**{"05.ipynb": notebook("1")})
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in [
            ("a.zip", inside),
            ("a.zip", inside),
            ("a.zip/05.ipynb", notebook("2")),
            ("b.ipynb", notebook()),
            ("b.ipynb", notebook("3")),
        ]:
            archive.writestr(name, content)
    found = found_in(path, []).submissions
    assert [(one.path, bool(one.problem)) for one in found] == [
        ("a.zip/05.ipynb", False),
        ("a.zip/05.ipynb (again)", True),
        ("a.zip/05.ipynb (again) (again)", True),
        ("b.ipynb", False),
        ("b.ipynb (again)", True),
    ]


@pytest.mark.parametrize("what", ["gone", "no zip", "fewer", "another", "a link"])
def test_a_zip_that_changes_before_it_is_graded(folder, tmp_path, notebook, what):
    path = folder / "a.zip"
    path.write_bytes(zipped(**{"x.txt": b"", "05.ipynb": notebook()}))
    (found,) = found_in(folder, []).submissions
    other = zipped(**{"x.txt": b"", "secret.txt": b"secret"})
    path.unlink()
    if what == "a link":
        (tmp_path / "other").write_bytes(other)
        path.symlink_to(tmp_path / "other")
    elif what != "gone":
        path.write_bytes({"no zip": b"", "fewer": zipped(), "another": other}[what])
    read = loaded(found)
    assert "changed" in read.problem
    assert read.content == b""


def test_a_bomb_and_a_way_out_in_a_zip_inside(folder, monkeypatch, notebook):
    monkeypatch.setattr(module, "LARGEST", 10**5)
    files = {
        "bomb.ipynb": bytes(10**6),
        "../up.ipynb": notebook(),
        "05.ipynb": notebook(),
    }
    (folder / "a.zip").write_bytes(zipped(**files))
    problems = {one.path: one.problem for one in found_in(folder, []).submissions}
    assert "larger than" in problems["a.zip/bomb.ipynb"]
    assert "leads out" in problems["a.zip/../up.ipynb"]
    assert problems["a.zip/05.ipynb"] == ""
