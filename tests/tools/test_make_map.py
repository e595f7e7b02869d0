"""The map of chapters says what their metadata says."""

import itertools
import re
import xml.etree.ElementTree as ET

import make_map
import nbfiles
import nbformat
import networkx
import pytest

MINUTES = 45
PAGE = """\
In all <span class="tt-hours-chapters"></span> and
<span class="tt-hours-companions">9</span> hours.

- [01 · One](../notebooks/01_one.ipynb): the first. With [exercises](x.ipynb)
- [02 · Two](../notebooks/02_two.ipynb): the second
  - [02b · More](../notebooks/02b_more.ipynb): what else
- [03 · Three](../notebooks/03_three.ipynb): the third
- 04 · Four *planned*
"""


@pytest.fixture
def root(tmp_path):
    needs = {
        "01_one": [],
        "02_two": ["01_one"],
        "02b_more": ["02_two"],
        "03_three": ["01_one", "02_two"],
    }
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book" / "images").mkdir(parents=True)
    for stem, needed in needs.items():
        notebook = nbformat.v4.new_notebook()
        number, name = stem.split("_")
        title = f"# {number} · {name.title()} & Co"
        notebook.cells = [nbformat.v4.new_markdown_cell(title)]
        notebook.cells += [nbformat.v4.new_markdown_cell("word " * MINUTES * 50)]
        facts = {"cpu_seconds": 1, "gpu": "no", "needs": needed}
        notebook.metadata["tt"] = facts
        nbfiles.write(tmp_path / "notebooks" / f"{stem}.ipynb", notebook)
    (tmp_path / make_map.PAGE).write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_an_arrow_leads_only_from_what_nothing_else_implies(root):
    drawing = ET.fromstring(make_map.picture(make_map.chapters(root)))
    texts = [part.text for part in drawing.iter() if part.tag.endswith("}text")]
    assert texts == ["01 · One & Co", "02 · Two & Co", "03 · Three & Co"]
    arcs = [arc for part in drawing.iter() if (arc := part.get("data-arrow"))]
    assert arcs == ["01_one to 02_two", "02_two to 03_three"]


def test_every_box_leads_to_its_chapter(root):
    drawing = ET.fromstring(make_map.picture(make_map.chapters(root)))
    links = [part.get("href") for part in drawing.iter() if part.tag.endswith("}a")]
    assert links == [
        f"../notebooks/{stem}.ipynb" for stem in ("01_one", "02_two", "03_three")
    ]


def test_a_chapter_stands_below_what_it_needs():
    needs = networkx.DiGraph([("01", "02"), ("01", "05"), ("02", "06"), ("05", "06")])
    needs.add_node("00")
    assert make_map.rows_of(needs) == [["00"], ["01"], ["02", "05"], ["06"]]


@pytest.mark.parametrize(("letters", "row"), [(5, 0), (30, 1)])
def test_a_box_that_is_too_far_right_for_a_phone_goes_a_row_down(letters, row):
    titles = {"01": "x" * 30, "02": "x" * letters, "03": "x"}
    known = {stem: make_map.Chapter(title, [], 1) for stem, title in titles.items()}
    boxes = make_map.placed([["01", "02"], ["03"]], known, set())
    assert boxes["02"].left + boxes["02"].width <= make_map.WIDEST
    tops = [boxes[stem].top for stem in titles]
    assert tops == [1, 1 + row * make_map.ROW, 1 + (row + 1) * make_map.ROW]


def test_where_several_end_they_stand_below_all():
    needs = networkx.DiGraph(
        [("1", "2"), ("2", "3"), ("2", "4"), ("2", "5"), ("4", "6")]
    )
    known = {stem: make_map.Chapter("x", [], 1) for stem in needs}
    below = make_map.ends_of_one(needs)
    assert below == {"3", "5"}
    boxes = make_map.placed([["1"], ["2"], ["4", "3", "5"], ["6"]], known, below)
    assert sorted(boxes, key=lambda stem: boxes[stem].top) == list("124635")
    ways = make_map.arrows(sorted(needs.edges), boxes)
    assert ways["2", "3"].count("H") == ways["2", "5"].count("H") == 2


def points(path):
    """The corners of an arrow, without its head."""
    found = [(0.0, 0.0)]
    for step in re.findall(r"[MHV][^MHVm]+", path.split("m")[0]):
        (x, y), numbers = found[-1], [float(n) for n in step[1:].split()]
        after = {
            "M": numbers * (step[0] == "M"),
            "H": [numbers[0], y],
            "V": [x, numbers[0]],
        }
        found.append(tuple(after[step[0]]))
    return found[1:]


def test_no_arrow_crosses_a_box():
    known = make_map.chapters(nbfiles.ROOT)
    drawing = ET.fromstring(make_map.picture(known))
    boxes = [
        [float(part.get(name)) for name in ("x", "y", "width", "height")]
        for part in drawing.iter()
        if part.tag.endswith("}rect")
    ]
    arcs = [part for part in drawing.iter() if part.get("data-arrow")]
    assert len(arcs) > len(boxes) / 2
    for arc in arcs:
        for (a, b), (c, d) in itertools.pairwise(points(arc.get("d"))):
            for x, y, width, height in boxes:
                apart = max(a, c) <= x or min(a, c) >= x + width
                assert apart or max(b, d) <= y or min(b, d) >= y + height, arc.attrib


def test_the_page_tells_needs_and_minutes_once(root):
    assert make_map.main([], root) == 0
    page = (root / make_map.PAGE).read_text(encoding="utf-8")
    needs = (
        'the second <span class="tt-needs">needs 01 · 45\N{NO-BREAK SPACE}min</span>\n'
    )
    assert needs in page
    assert "needs no other chapter · 45\N{NO-BREAK SPACE}min" in page
    assert 'what else <span class="tt-needs">needs 02 · 45' in page
    assert "04 · Four *planned*\n" in page
    assert '<span class="tt-hours-chapters">2</span>' in page  # 3 · 45 min
    assert '<span class="tt-hours-companions">1</span>' in page
    assert make_map.main(["--check"], root) == 0
    make_map.main([], root)
    assert (root / make_map.PAGE).read_text(encoding="utf-8") == page


def test_a_stale_map_is_named(root, capsys):
    assert make_map.main(["--check"], root) == 1
    assert "book/images/map.svg is not what the chapters say" in capsys.readouterr().out
    assert not (root / make_map.PICTURE).exists()


def test_a_chapter_without_a_line_is_named(root, capsys):
    page = root / make_map.PAGE
    lines = page.read_text("utf-8").splitlines(keepends=True)
    page.write_text("".join(line for line in lines if "02b" not in line), "utf-8")
    assert make_map.main([], root) == 1
    assert "no line for 02b_more" in capsys.readouterr().out
