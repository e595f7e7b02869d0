"""What an exception means, and what to look at: help for the usual ones."""

import re

from tt_utils.grading.observing.observation import Raised

MANY_TRUTHS = (
    "An `if` (or `and`, `or`, Python's `max`) needs one truth value and got many. Is a "
    "choice for each entry meant (`where`), or `is not None`?"
)
OWN_ASSERT = (
    "One of your own `assert` lines refuses this input. Is the input legal by the "
    "exercise's text?"
)
ASSERT_OF_OTHERS = (
    "What is called there refuses its arguments, or comes too early. What does its "
    "message say that it needs first?"
)
# (class, what its text matches, the help); the groups of the match fill the help.
HELP = (
    (
        "",
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "In a matrix product the inner sizes must agree, and here {1} ≠ {2}. Which of "
        "the two should be transposed?",
    ),
    (
        "",
        r"size \d+ is different from \d+|Expected size for first two dimensions"
        r"|not aligned|inner dimensions",
        "In a matrix product the last axis of the first must be as long as the last "
        "but one of the second, and the axes in front alike. Write both shapes beside "
        "the line: which two axes of which one should change places?",
    ),
    (
        "",
        r"together with shapes \(((?:\d+,)*)(\d+)((?:,\d+)*,?)\) \(\1(\d+)\3\)",
        "Two arrays meet entry by entry, and one counts {1} entries where the other "
        "counts {3}. Which of the two is as long as it should be, and which line makes "
        "the other one longer or shorter?",
    ),
    (
        "",
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
        r"|could not be broadcast together",
        "Two arrays meet entry by entry, and their axes, counted from the last, are "
        "neither equal nor 1. Write both shapes beside the line. Which axis should be "
        "kept (keepdim), added or moved, or is one of them too long?",
    ),
    (
        "ValueError",
        r"axes don't match array",
        "NumPy's `transpose` wants all axes in their new order. Two of them change "
        "places with `swapaxes`.",
    ),
    (
        "ValueError",
        r"(?:not enough|too many) values to unpack",
        "The two sides of `=` have different counts. If it is a shape: how many axes "
        "has this input, with a batch in front and without?",
    ),
    (
        "",
        r"cannot reshape array of size|is invalid for input of size",
        "A reshape keeps all numbers, and the new sizes multiply to another count. "
        "Which axis of this input did you leave out?",
    ),
    (
        "",
        r"Expected target size|Expected input batch_size",
        "`cross_entropy` wants a row of scores for each target: logits (n, vocab) and "
        "targets (n,). Which two axes are to be flattened into n, and is the words' "
        "axis still the last?",
    ),
    (
        "",
        r"could not broadcast input array|expanded size of the tensor",
        "The place that you write into and what you write have different shapes. Print "
        "both: is one of them empty or cut short?",
    ),
    (
        "",
        r"Dimension out of range|axis \d+ is out of bounds|too many indices",
        "The array has fewer axes than the line takes for granted. Print its shape. "
        "Who says which axis is meant: an argument of yours, or its place counted from "
        "the end (-1, -2), which holds with a batch and without?",
    ),
    (
        "NotTheSame",
        r"",
        "Something in it is drawn at random, or kept from the call before. Which line "
        "does that, and where should its numbers come from?",
    ),
    (
        "NameError",
        r"name '(\w+)' is not defined",
        "Python does not know `{0}`. Is it spelt as where it was made, and has the "
        "cell that makes or imports it been run?",
    ),
    (
        "UnboundLocalError",
        r"'(\w+)'",
        "`{0}` gets its value on a path that this input does not take, such as an "
        "`if`. What should it be otherwise?",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for .*'NoneType'"
        r"|'NoneType' object is not subscriptable"
        r"|bad operand type for unary ~: 'NoneType'",
        "One of the two is None. Is an optional argument used where it was not given, "
        "or does a function of yours lack its `return`?",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for .*'tuple'",
        "One of the two is a tuple, such as the pair that an attention returns. Which "
        "of its parts is meant?",
    ),
    (
        "",
        r"Cannot cast ufunc",
        "Decimals are to go into an array of whole numbers: `-=`, `/=` and the like, "
        "and `out=`, keep an array's type. Which array is it, and what made it so?",
    ),
    (
        "",
        r"Expected a floating point|to be floating point|floating point and complex",
        "This step takes decimal numbers, and whole ones come in. Where can they be "
        "made decimal, whatever the inputs are?",
    ),
    (
        "",
        r"numel\(\) == 0|zero-size array|empty sequence|argument is empty",
        "Nothing is left to take the largest or the mean of. For which input, or in "
        "which round, is it empty?",
    ),
    (
        "TypeError",
        r"bad operand type for unary ~: 'float'|bitwise_not",
        "`~` turns truth values around, and this holds decimal numbers.",
    ),
    (
        "TypeError",
        r"missing \d+ required (?:positional|keyword-only) arguments?: '(\w+)'",
        "`{0}` is not given in this call. Which of your arguments may be left out, and "
        "what is their value then?",
    ),
    (
        "TypeError",
        r"takes \d+ positional arguments? but (\d+) (?:was|were) given",
        "",  # `judge` names the call
    ),
    (
        "TypeError",
        r"got an unexpected keyword argument '(\w+)'",
        "What is called there knows no `{0}`. Is it spelt as in the exercise, or does "
        "the other library call it differently?",
    ),
    (
        "TypeError",
        r"'(\w+)' object is not callable",
        "A value of the type {0} is called like a function: has a name been given "
        "twice, or is an operator missing before the bracket?",
    ),
    (
        "IndexError",
        r"shape of the mask|boolean index did not match",
        "A mask between square brackets must have the shape of what it picks from, and "
        "does not widen by itself. `where` and `masked_fill` let it.",
    ),
    (
        "IndexError",
        r"index -?\d+ is out of bounds|index out of range|out of range",
        "It looks for an entry that is not there. What is the largest index here, and "
        "for which input is it passed?",
    ),
    (
        "RuntimeError",
        r"must be a matrix|2D tensors? expected|must be a 3D tensor|vector expected"
        r"|1D tensors expected",
        "This product wants so many axes and no others. `@` takes any number in front.",
    ),
    (
        "AttributeError",
        r"cannot assign (?:module|parameter)s? before Module\.__init__",
        "A module is made ready by `super().__init__()`, before anything is put into "
        "it.",
    ),
    (
        "AttributeError",
        r"'(?!Tensor|ndarray|NoneType)(\w+)' object has no attribute '(\w+)'",
        "`{0}` has no `{1}`. Where is it made, and is it spelt the same there?",
    ),
    (
        "AttributeError",
        r"'NoneType' object has no attribute '(\w+)'",
        "What should have `{0}` is None. Is an optional argument used where it was not "
        "given, or does a function of yours lack its `return`?",
    ),
    (
        "RuntimeError",
        r"leaf Variable that requires grad|modified by an inplace operation",
        "PyTorch needs the old numbers for the gradients. Make new ones instead of "
        "writing into them, or write within `torch.no_grad()`.",
    ),
    (
        "RuntimeError",
        r"does not require grad and does not have a grad_fn",
        "No gradient leads there: what is it computed from? Is it detached on the way, "
        "or computed within `no_grad`?",
    ),
    (
        "RuntimeError",
        r"backward through the graph a second time",
        "`backward` frees what it used. Which `backward` comes twice for one forward "
        "pass?",
    ),
    (
        "TypeError",
        r"can only concatenate (\w+) .*to (\w+)|can't multiply sequence by non-int",
        "A list is added to or multiplied like a number. Is an array meant?",
    ),
    (
        "TypeError",
        r"only integer (?:scalar )?arrays|indices must be integers|slice indices must",
        "An index must be a whole number. Which division or array gives decimals?",
    ),
    (
        "TypeError",
        r"unhashable type: '([\w.]+)'",
        "A value of the type {0} can't be a key or stand in a set. Is a tuple meant?",
    ),
    (
        "ValueError",
        r"math domain error|expected a (?:positive|nonnegative) input",
        "A logarithm or a root of a number that has none. For which input does that "
        "happen, and what should be then?",
    ),
    (
        "ValueError",
        r"assignment destination is read-only",
        "It writes into something that it was given. Make a copy first.",
    ),
    (
        "ValueError",
        r"inhomogeneous shape|setting an array element with a sequence",
        "An array needs rows of one length. Which of them are shorter, and why?",
    ),
    (
        "StopIteration",
        r"",
        "`next` found nothing. For which input is there nothing left?",
    ),
    (
        "AssertionError",
        r"",
        OWN_ASSERT,
    ),
    (
        "",
        r"expected (?:m1 and m2|scalar type|mat1 and mat2).*(?:dtype|type)|same dtype",
        "The two tensors hold numbers of different types, such as float and double. "
        "Which line makes the new type? `.to(x.dtype)` takes over that of x.",
    ),
    (
        "AttributeError",
        r"'numpy\.ndarray' object has no attribute '(\w+)'",
        "This is an array of NumPy, and `{0}` belongs to another library's. What does "
        "NumPy call it?",
    ),
    (
        "AttributeError",
        r"'Tensor' object has no attribute '(\w+)'",
        "A tensor of PyTorch has no `{0}`. What does PyTorch call it?",
    ),
    (
        "RuntimeError",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "Numbers that gradients flow through stay in PyTorch; `.detach()` takes a copy "
        "out.",
    ),
    (
        "ValueError",
        r"truth value of an array|Boolean value of Tensor",
        MANY_TRUTHS,
    ),
    (
        "RuntimeError",
        r"Boolean value of Tensor",
        MANY_TRUTHS,
    ),
    (
        "MemoryError",
        r"",
        "It asked for more memory than a check may take. Does a list grow without end, "
        "or is an array far larger than its inputs?",
    ),
    (
        "RuntimeError",
        r"(?i)can't allocate memory|not enough memory|DefaultCPUAllocator",
        "It asked for more memory than a check may take. Which axis is far too long?",
    ),
    (
        "RecursionError",
        r"",
        "A function calls itself without end. Has another function of yours, or of a "
        "library, got its name?",
    ),
    (
        "ModuleNotFoundError",
        r"",
        "The exercise needs only what its first cell imports.",
    ),
    (
        "KeyError",
        r"(.*)",
        "The dictionary has no entry {0}. Was it never put in, or taken out before? "
        "And what should happen with a key that it does not know?",
    ),
    ("ZeroDivisionError", r"", "For which input is the divisor 0, and what should be?"),
    (
        "SystemExit",
        r"",
        "`exit` and `quit` end a program; a function ends by `return`.",
    ),
    ("EOFError", r"can't ask for input", "Its arguments are all that it gets."),
)


def help_with(raised: Raised) -> str:
    """A sentence or two of help, or "" for an exception that isn't among these."""
    for name, pattern, words in HELP:
        if name in ("", raised.name) and (found := re.search(pattern, raised.text)):
            if words == OWN_ASSERT and "assert" not in raised.line:
                return ASSERT_OF_OTHERS
            return words.format(*found.groups())
    return ""
