"""A copy has the one wrong line, and the package hasn't."""

import sys

import pytest
import torch

import tt_utils.blocks.attention
from tt_utils.planted import BUGS, Bug, changed, plant


def attended(package):
    """What one head of a drawn layer makes of two sentences, with a mask."""
    torch.manual_seed(0)
    layer = package.blocks.attention.MultiHeadAttention(d_model=10, n_heads=2)
    x, mask = torch.randn(3, 7, 10), torch.rand(7, 7) > 0.3
    return layer(x, x, x, mask)[0]


@pytest.mark.parametrize("name", BUGS)
def test_every_bug_can_be_planted_beside_the_package(name):
    copy, bug = plant(name), BUGS[name]
    module = copy
    for part in bug.module.split("."):
        module = getattr(module, part)
    original = sys.modules.get(f"tt_utils.{bug.module}")
    assert module.__name__ == f"{copy.__name__}.{bug.module}"
    assert module is not original


def test_a_copy_without_a_bug_does_what_the_package_does():
    copy = plant()
    assert copy.blocks.attention is not tt_utils.blocks.attention
    torch.testing.assert_close(attended(copy), attended(sys.modules["tt_utils"]))


def test_two_copies_share_nothing_and_differ_by_the_bug():
    right, wrong = plant(), plant("masked after softmax")
    assert right.blocks.masks is not wrong.blocks.masks
    assert (attended(right) - attended(wrong)).abs().max() > 0.01


def test_the_wrong_line_keeps_the_indentation_of_the_right_one():
    bug = Bug("m", "y = x + 1", "y = x")
    source = "def f(x):\n    y = x + 1\n    return y\n"
    assert changed(source, bug) == "def f(x):\n    y = x\n    return y\n"


def test_a_bug_shows_both_lines():
    assert (
        str(Bug("m", "y = x + 1", "y = x")) == "m\n  right  y = x + 1\n  wrong  y = x"
    )


@pytest.mark.parametrize("source", ["y = 1\n", "y = x + 1\nif y:\n    y = x + 1\n"])
def test_a_line_that_is_gone_or_not_alone_is_named(source):
    with pytest.raises(ValueError, match=r"m has the line 'y = x \+ 1' [02] times"):
        changed(source, Bug("m", "y = x + 1", "y = x"))


def test_an_unknown_bug_is_named_with_those_there_are():
    with pytest.raises(ValueError, match="no bug 'rust'; choose one of softmax over"):
        plant("rust")
