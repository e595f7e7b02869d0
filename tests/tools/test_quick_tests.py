"""What a change can touch is tested, and what it can't is left alone."""

import subprocess

import nbfiles
import pytest
import quick_tests


@pytest.fixture
def root(tmp_path):
    """A repository with a branch that differs from main by nothing yet."""
    for name in ("tests/test_masks.py", "tt_utils/masks.py", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    git(tmp_path, "switch", "-q", "-c", "mine")
    return tmp_path


def git(root, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", root, *who, *words], check=True)


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")


def test_commits_edits_and_new_files_are_changes(root):
    assert quick_tests.changed(root) == []
    (root / "tt_utils" / "masks.py").write_text("x = 1\n")
    commit(root)
    (root / "notes.txt").write_text("edited")
    (root / "tests" / "test_new.py").touch()
    found = quick_tests.changed(root)
    assert found == ["notes.txt", "tests/test_new.py", "tt_utils/masks.py"]


def test_what_others_did_on_main_is_no_change_of_this_branch(root):
    git(root, "switch", "-q", "main")
    (root / "notes.txt").write_text("theirs")
    commit(root)
    git(root, "switch", "-q", "mine")
    assert quick_tests.changed(root) == []


CHAPTER = "tt_utils/grading/tasks/ch05_scaled_dot_product/t1_attention.py"


@pytest.mark.parametrize(
    ("file", "asked", "only"),
    [
        ("tt_utils/blocks/masks.py", "tests/test_masks.py", ""),
        ("tests/test_masks.py", "tests/test_masks.py", ""),
        ("tests/contrast.py", "tests/test_masks.py", ""),
        (CHAPTER, "tests/grading/test_tasks.py", "05."),
        ("tests/grading/answers/05_1.txt", "tests/grading/test_answers.py", "05."),
        ("tt_utils/grading/judging/twins.py", "tests/grading/test_tasks.py", ""),
        (
            "tt_utils/grading/classroom/run.py",
            "tests/grading/classroom/test_class_run.py",
            "",
        ),
        (
            "notebooks/05_scaled_dot_product.ipynb",
            quick_tests.ALONE.format("notebooks/05_scaled_dot_product"),
            "",
        ),
        ("book/glossary.md", "tests/book/test_pages.py", ""),
        ("book/_static/content.css", "tests/browser/test_wide.py", ""),
        ("tools/sync.py", "tests/tools/test_sync.py", ""),
        (".ci/run", "tests/tools/test_ci_run.py", ""),
    ],
)
def test_a_file_asks_for_its_tests(file, asked, only):
    choice = quick_tests.chosen(nbfiles.ROOT, file)
    assert asked in choice.tests
    assert choice.only == only


def test_a_core_change_starts_neither_browser_nor_sandbox_nor_notebook():
    tests = quick_tests.chosen(nbfiles.ROOT, "tt_utils/blocks/masks.py").tests
    assert {test.rpartition("/")[0] for test in tests} == {"tests"}


def test_every_rule_finds_tests_that_are_there():
    for rule in quick_tests.RULES:
        for name in rule.tests:
            if "{" not in name:
                assert quick_tests.there(nbfiles.ROOT, name), name


def test_what_is_gone_asks_for_nothing(root):
    for file in ("tests/test_gone.py", "notebooks/99_gone.ipynb"):
        assert quick_tests.chosen(root, file).tests == []


def test_tests_of_one_chapter_are_left_out_where_all_run():
    by_chapter = quick_tests.Choice("a", ["t/test_a.py", "t/test_b.py"], "", "05.")
    whole = quick_tests.Choice("b", ["t/test_a.py"], "")
    assert quick_tests.runs([by_chapter]) == [
        ["t/test_a.py", "t/test_b.py", "-k", "05."]
    ]
    assert quick_tests.runs([by_chapter, whole]) == [
        ["t/test_a.py"],
        ["t/test_b.py", "-k", "05."],
    ]


def test_the_choice_is_shown_with_its_reason(root, capsys):
    (root / "tt_utils" / "masks.py").write_text("x = 1\n")
    (root / "notes.txt").write_text("edited")
    assert quick_tests.main(["--list"], root) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "notes.txt          –       make check reads it",
        "tt_utils/masks.py  1 file  the core",
    ]
