"""Each house rule of notebooks, broken once, is reported in its own line."""

import re

import nbfiles
import pytest
from nbformat.v4 import new_markdown_cell, new_output

# The cells of the fixture's chapter after the setup cell was put in.
TITLE, SETUP, MIRROR, TELL, PROSE, PICTURE = range(6)


def test_a_clean_project_passes(project):
    result = project.check()
    assert result.returncode == 0, result.stdout


def source(index, text):
    def change(notebook):
        notebook.cells[index].source = text

    return change


def prose(text):
    """One more text cell at the end."""

    def change(notebook):
        notebook.cells.append(new_markdown_cell(text, id="added"))

    return change


def count(index, value):
    def change(notebook):
        notebook.cells[index].execution_count = value

    return change


def output(index, new):
    def change(notebook):
        notebook.cells[index].outputs.append(new)

    return change


def tag(index, name):
    def change(notebook):
        notebook.cells[index].metadata.setdefault("tags", []).append(name)

    return change


def fact(name, value):
    def change(notebook):
        notebook.metadata["tt"][name] = value

    return change


def no_alt(notebook):
    del notebook.cells[PICTURE].metadata["mystnb"]


def no_png(notebook):
    del notebook.cells[PICTURE].outputs[0].data["image/png"]


def caption(text):
    def change(notebook):
        notebook.cells[PICTURE].metadata["caption"] = text

    return change


def no_outputs(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []


def no_facts(notebook):
    del notebook.metadata["tt"]


def dated(notebook):
    notebook.cells[PICTURE].outputs[0].data["image/svg+xml"] = "<dc:date>1</dc:date>"


def long_median(notebook):
    for index in (TELL, PICTURE):
        notebook.cells[index].source = "x = 1\n" * 9


def listing(notebook):
    long_median(notebook)
    notebook.metadata["tt"]["listing"] = True


def no_language(notebook):
    notebook.metadata["language_info"] = "python"


ERROR = new_output("error", ename="ValueError", evalue="no", traceback=[])
PAGES = "https://example.org/pages/"
CONFIG_LINK = "https://example.org/someone/book/blob/main/"


def folded_twice(notebook):
    for cell in (MIRROR, TELL):
        tag(cell, "hide-cell")(notebook)
        source(cell, "# @title Tell it")(notebook)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (count(MIRROR, None), ": was not run from top to bottom"),
        (count(TELL, 7), ": was not run from top to bottom"),
        (no_outputs, ": holds no output at all"),
        (output(TELL, ERROR), "cell 3: holds the error ValueError"),
        (no_alt, "cell 5: shows a picture without alt text"),
        (dated, "cell 5: its picture holds today's date"),
        (no_png, "cell 5: its picture is no PNG too"),
        (caption([]), "cell 5: has 0 captions for 1 pictures"),
        (caption(" "), "cell 5: has 1 captions for 1 pictures"),
        (caption(["One.", "Two."]), "cell 5: has 2 captions for 1 pictures"),
        (caption("one word"), "cell 5: has its alt text as caption"),
        (prose("[Figure 1.2](#word)"), "calls #word figure 1.2, but it is 1.1"),
        (prose("[figure 1.1](#wood)"), "calls #wood figure 1.1, but it is no figure"),
        (prose("[b](../book/notation.md#q)"), "links to ../book/notation.md#q, which"),
        (prose(f"[b]({PAGES}notebooks/02.html)"), f"links to {PAGES}notebooks/02.html"),
        (source(TELL, "x = 1\n" * 41), "cell 3: has 41 lines, the ceiling is 40"),
        (long_median, ": its code cells have 9 lines in the median"),
        (prose("word " * 121), "cell 6: has 121 words, the ceiling is 120"),
        (prose("See {doc}`intro`."), "cell 6: holds MyST ({doc}`)"),
        (prose("```{note}\nHello\n```"), "cell 6: holds MyST (```{note"[:-5]),
        (prose(":::{tip}\nHello\n:::"), "cell 6: holds MyST (:::{t"),
        (prose("(target)=\n## Title"), "cell 6: holds MyST ((target)=)"),
        (prose("[03](03_none.ipynb)"), "cell 6: links to 03_none.ipynb"),
        (prose('<a href="no.py">no</a>'), "cell 6: links to no.py"),
        (prose(f"[no]({CONFIG_LINK}no.md)"), f"cell 6: links to {CONFIG_LINK}no.md"),
        (prose("the [[cache]]"), "cell 6: shows [[cache]] as it stands; link the term"),
        (prose("![](../_config.yml)"), "cell 6: shows a picture without alt text"),
        (prose('<img src="../_config.yml">'), "cell 6: shows a picture without alt"),
        (source(TELL, "double(2);"), "cell 3: ends with a semicolon"),
        (tag(TELL, "nbval_ignore_output"), "cell 3: the tag nbval_ignore_output means"),
        (no_facts, ": metadata.tt.cpu_seconds is None"),
        (prose("**Predict first.** " * 6), ": asks for 6 predictions, the limit is 5"),
        (
            prose("> **Predict first.** Why?\n>\n> - so"),
            "cell 6: asks for a prediction, but",
        ),
        (tag(TELL, "hide-input"), "cell 3: is folded without a name"),
        (folded_twice, "cell 3: is folded under a name that another cell has"),
        (fact("gpu", ""), ": metadata.tt.gpu is ''"),
        (fact("needs", ["02_none"]), ": needs 02_none, but there is no"),
        (fact("needs", ["01_demo"]), ": needs 01_demo, which comes after it"),
        (
            source(TITLE, "# Demo"),
            "cell 0: must be a text cell whose title starts with '# 01",
        ),
        (no_language, ": is no valid notebook"),
    ],
)
def test_each_broken_rule_has_its_line(project, change, line):
    project.edit(change)
    result = project.check()
    assert result.returncode == 1
    assert f"notebooks/01_demo.ipynb{',' if line[0] == 'c' else ''}" in result.stdout
    assert line in result.stdout


def wanted_error(notebook):
    output(TELL, ERROR)(notebook)
    tag(TELL, "raises-exception")(notebook)


@pytest.mark.parametrize(
    "change",
    [
        prose("A function $f(x) = \\{x\\}$ and `/tmp` and a set {a}."),
        prose("```python\n{{ x }}\n```"),
        prose("[config](../_config.yml#top) [web](https://example.org/a) [up](#top)"),
        prose(f"[config]({CONFIG_LINK}_config.yml)"),
        prose(f"[this]({PAGES}notebooks/01_demo.html#top)"),
        prose("[Figure 1.1](#word) and [figure 1.1](01_demo.ipynb#word)."),
        prose("$" + "a b " * 200 + "$"),
        source(MIRROR, "x = 1\n" * 60),
        wanted_error,
        listing,
    ],
)
def test_what_only_looks_broken_passes(project, change):
    project.edit(change)
    result = project.check()
    assert result.returncode == 0, result.stdout


def test_the_config_is_parsed_once(project, monkeypatch):
    """For each link of each cell it took most of `make check`."""
    texts = []
    parse = nbfiles.yaml.safe_load
    monkeypatch.setattr(
        nbfiles.yaml, "safe_load", lambda text: texts.append(text) or parse(text)
    )
    config = project.root / "_config.yml"
    config.write_text(config.read_text() + "# another text\n")
    project.check()
    assert len(texts) == 1


def test_a_file_cut_short_is_named(project):
    project.chapter.write_text(project.chapter.read_text()[:200])
    assert "notebooks/01_demo.ipynb: is no valid notebook" in project.check().stdout


@pytest.mark.filterwarnings("ignore")  # as outside of pytest
def test_two_cells_with_one_id_are_named(project):
    text = project.chapter.read_text()
    project.chapter.write_text(text.replace('"id": "cell-2"', '"id": "cell-1"'))
    assert "is no valid notebook (Non-unique cell id 'cell-1'" in project.check().stdout


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_without_cell_ids_is_named(project):
    text = re.sub(r'"id": "[^"]+",', "", project.chapter.read_text())
    project.chapter.write_text(text)
    assert "is no valid notebook (Cell is missing an id" in project.check().stdout
    project.chapter.write_text(text.replace('minor": 5', 'minor": 4'))
    assert "has no cell ids" in project.check().stdout
