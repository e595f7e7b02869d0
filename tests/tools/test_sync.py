"""sync.py writes what notebooks copy, and `--check` names every difference."""

import pytest
from nbformat.v4 import new_markdown_cell, new_output

# The cells of the fixture's chapter after the setup cell was put in.
TITLE, SETUP, MIRROR, TELL, PROSE = range(5)


def test_a_project_in_step_passes_and_stays_byte_identical(project):
    before = project.chapter.read_bytes()
    assert project.sync("--check").returncode == 0
    assert project.sync().returncode == 0
    assert project.chapter.read_bytes() == before


def test_sync_writes_all_four_kinds(project):
    cells = project.read().cells
    assert '<a href="https://colab.research.google.com/' in cells[TITLE].source
    assert "git+{repository}@main" in cells[SETUP].source
    assert cells[MIRROR].source.startswith("@cache\ndef double(x):")
    assert cells[PROSE].source.endswith('<span data-value="answer">4</span>.')


def set_source(index, source):
    def change(notebook):
        notebook.cells[index].source = source

    return change


def tell_five(notebook):
    data = notebook.cells[TELL].outputs[0].data
    data["application/vnd.tt-values+json"]["answer"] = "5"


def longer(notebook):
    notebook.cells[PROSE].source += " word" * 100


def unfolded(notebook):
    del notebook.cells[SETUP].metadata["jupyter"]


def without_tags(notebook):
    notebook.cells[SETUP].metadata["tags"] = ["setup"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (set_source(SETUP, "pass"), "cell 1: the setup cell is not"),
        (without_tags, "cell 1: the setup cell's tags are not"),
        (set_source(MIRROR, "def double(x): ..."), "cell 2: the mirrored cell differs"),
        (set_source(TITLE, "# 01 · Demo"), "cell 0: the facts line is not"),
        (longer, "cell 0: the facts line is not"),
        (unfolded, "cell 1: it is not folded in JupyterLab"),
        (tell_five, "cell 4: a number differs"),
        (set_source(PROSE, '<span data-value="answer">9</span>'), "cell 4: a number"),
    ],
)
def test_check_names_the_difference_writes_nothing_and_sync_mends_it(
    project, change, line
):
    project.edit(change)
    before = project.chapter.read_bytes()
    result = project.sync("--check")
    assert result.returncode == 1
    assert f"notebooks/01_demo.ipynb, {line}" in result.stdout
    assert "run make sync" in result.stdout
    assert project.chapter.read_bytes() == before
    assert project.sync().returncode == 0
    assert project.sync("--check").returncode == 0


def mirror_of(target):
    def change(notebook):
        notebook.cells[MIRROR].metadata["mirror"] = target

    return change


def tell_twice(notebook):
    notebook.cells[TELL].outputs.append(
        new_output(
            "display_data", data={"application/vnd.tt-values+json": {"answer": "6"}}
        )
    )


def without_seconds(notebook):
    del notebook.metadata["tt"]["cpu_seconds"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            mirror_of("tt_utils.demo:triple"),
            "cell 2: mirrors tt_utils.demo:triple, but",
        ),
        (mirror_of("tt_utils.nothing:double"), "there is no module tt_utils.nothing"),
        (mirror_of("tt_utils.demo"), "defines no object"),
        (
            set_source(PROSE, '<span data-value="who">4</span>'),
            "shows the value who, but",
        ),
        (set_source(PROSE, "<span data-value=answer>4</span>"), "that is not written"),
        (tell_twice, "shows answer, but outputs tell it as 4 and as 6"),
        (without_seconds, "metadata.tt lacks cpu_seconds"),
    ],
)
def test_what_only_the_author_can_mend_is_said_and_the_cell_left_alone(
    project, change, line
):
    project.edit(change)
    before = project.chapter.read_bytes()
    for arguments in ([], ["--check"]):
        result = project.sync(*arguments)
        assert result.returncode == 1
        assert line in result.stdout
    assert project.chapter.read_bytes() == before


def test_several_objects_of_every_kind_are_mirrored(project):
    project.edit(mirror_of("tt_utils.demo:WORDS, double, Pair"))
    assert project.sync().returncode == 0
    assert project.read().cells[MIRROR].source == (
        'WORDS = ["la", "casa"]\n\n\n'
        '@cache\ndef double(x):\n    """Twice x."""\n    return 2 * x\n\n\n'
        "class Pair:\n    first: int"
    )


def test_a_master_sends_readers_to_the_exercise_made_from_it(project):
    master = project.root / "solutions" / "01_demo.ipynb"
    notebook = project.read()
    notebook.metadata["tt"]["needs"] = ["01_demo"]
    project.write(notebook)
    project.chapter.rename(master)
    assert project.sync().returncode == 0
    text = master.read_text()
    assert "/blob/main/exercises/01_demo.ipynb" in text
    assert "../notebooks/01_demo.ipynb" in text


def test_a_named_picture_is_kept_in_its_file_too(project):
    def name_it(notebook):
        notebook.cells[-1].metadata["picture"] = "words.svg"

    project.edit(name_it)
    assert "cell 5: words.svg is not its picture" in project.sync("--check").stdout
    project.sync()
    assert "attention" in (project.root / "words.svg").read_text()
    assert project.sync("--check").returncode == 0


QUESTION = "> **Predict first.** How many?\n>\n> - two\n> - ____ more"
ANSWER = "<details>\n<summary>Answer</summary>\n\nTwo.\n\n</details>"


def test_what_answers_a_prediction_starts_collapsed(project):
    def ask(notebook):
        notebook.cells[MIRROR].metadata["tags"] = ["hide-input"]
        notebook.cells.insert(TELL, new_markdown_cell(QUESTION, id="question"))
        notebook.cells.insert(TELL + 2, new_markdown_cell(ANSWER, id="answer"))

    project.edit(ask)
    assert project.sync().returncode == 0
    cells = project.read().cells
    assert cells[MIRROR].metadata["jupyter"] == {"source_hidden": True}
    assert cells[MIRROR].metadata["cellView"] == "form"
    assert cells[TELL + 1].metadata["jupyter"] == {"outputs_hidden": True}
    assert all("jupyter" not in cell.metadata for cell in cells[TELL + 2 :])
    project.edit(lambda notebook: notebook.cells.pop(TELL))
    assert project.sync().returncode == 0
    assert "jupyter" not in project.read().cells[TELL].metadata
