"""Slips that any answer can have, made in the task's right answers one at a time.

Where no listed mistake explains an answer, one of these may: an operator or a function
in another's place, a limit counted in or out, an axis, a bound or a number off by one,
a step, a case or brackets left out.
"""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from tt_utils.grading.tasks.mistakes import Mistake
from tt_utils.grading.tasks.spec import FunctionTask

STYLES = 4  # right answers that slips are made in
Change = Callable[[Any], None]


@dataclass(frozen=True)
class Slip:
    """One thing changed in a right answer: the whole source after it, and the hint."""

    source: str
    name: str
    hint: str

    @property
    def mistake(self) -> Mistake:
        return Mistake(self.name, self.hint, ())


@dataclass(frozen=True)
class Kind:
    """A kind of slip as a learner reads of it."""

    name: str
    hint: str


def turned(old: str, new: str) -> Kind:
    return Kind(
        f"{new} for {old}",
        f"It comes out as if in one place there were {new} instead of {old}. Which "
        "line does that?",
    )


def left_out(what: str) -> Kind:
    return Kind(
        f"{what} left out",
        f"It comes out as if {what} were left out. Where does it belong, and for "
        "which inputs does it matter?",
    )


AXIS = Kind(
    "another axis",
    "It comes out as if one step ran along another axis. Write the shape beside each "
    "line: along which axis should the sum, the mean or the choice run?",
)
SHAPE = Kind(
    "an axis not kept",
    "It comes out as if an axis were lost, or kept, on the way. Where does `keepdims` "
    "(`keepdim`) decide that?",
)
OFF_BY_ONE = Kind(
    "off by one",
    "It comes out as if a number or a bound were off by one. Where does a count, a "
    "range or a slice begin and end?",
)
LIMIT = Kind(
    "the limit itself",
    "It comes out as if a comparison took its limit in instead of leaving it out, or "
    "the other way round. What should happen where both sides are equal?",
)
SIDES = Kind(
    "sides exchanged",
    "It comes out as if two things stood in each other's place. In which product, "
    "difference or call does their order matter?",
)
UPSIDE_DOWN = Kind(
    "a condition turned around",
    "It comes out as if a condition or a mask were turned around. What does True mean "
    "there?",
)
NO_CASE = Kind(
    "a case left out",
    "It comes out as if one case were not told apart from the others. Which inputs "
    "need a way of their own?",
)
NO_STEP = Kind(
    "a step left out",
    "It comes out as if one step were left out. Go through the task's text: which of "
    "its steps has no line of yours?",
)
FACTOR = Kind(
    "a number twice or half",
    "It comes out as if a number were twice or half as large. Which constant or factor "
    "is meant?",
)
BRACKETS = Kind(
    "brackets left out",
    "It comes out as if a pair of brackets were left out. How far does each fraction's "
    "line, or each power, reach?",
)
SIGNS = {
    ast.Add: "`+`",
    ast.Sub: "`-`",
    ast.Mult: "`*`",
    ast.Div: "`/`",
    ast.FloorDiv: "`//`",
    ast.MatMult: "`@`",
    ast.Pow: "`**`",
    ast.Mod: "`%`",
    ast.BitAnd: "`&`",
    ast.BitOr: "`|`",
    ast.And: "`and`",
    ast.Or: "`or`",
}
SWAPS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
LIMITS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITES = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
LIKE = (
    ("min", "max"),
    ("amin", "amax"),
    ("argmin", "argmax"),
    ("sum", "mean"),
    ("sum", "max"),
    ("any", "all"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("floor", "ceil"),
    ("log", "log2"),
    ("log", "log10"),
    ("exp", "exp2"),
    ("sin", "cos"),
    ("var", "std"),
    ("tril", "triu"),
    ("append", "extend"),
    ("softmax", "log_softmax"),
    ("cumsum", "cumprod"),
)
AXES = {"axis", "dim", "dims", "axes"}
KEEPS = {"keepdim", "keepdims"}


def slips_in(source: str) -> Iterator[Slip]:
    """Every one-thing-changed neighbour of a source text, each once."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    for node in list(ast.walk(tree)):
        for kind, change in changes(node):
            with as_before(node):
                change(node)
                text = ast.unparse(ast.fix_missing_locations(tree))
            if text not in seen and is_python(text):
                yield Slip(text, kind.name, kind.hint)
            seen.add(text)


def is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@contextmanager
def as_before(node: ast.AST) -> Iterator[None]:
    """Leave a node, and those right below it, as they are now."""
    kept = [
        (
            one,
            type(one),
            {k: v[:] if isinstance(v, list) else v for k, v in vars(one).items()},
        )
        for one in (node, *ast.iter_child_nodes(node))
    ]
    try:
        yield
    finally:
        for one, kind, fields in kept:
            one.__class__ = kind
            one.__dict__ = fields


@cache
def slips_of(task: FunctionTask) -> tuple[Slip, ...]:
    """The slips in a task's right answers, those that always come to an end."""
    ending = [text for text in task.right if not may_run_for_ever(text)]
    found = {slip.source: slip for text in ending[:STYLES] for slip in slips_in(text)}
    return tuple(found.values())


def may_run_for_ever(source: str) -> bool:
    """Could one thing changed in it make a loop that never ends?"""
    return any(isinstance(node, ast.While) for node in ast.walk(ast.parse(source)))


def changes(node: ast.AST) -> Iterator[tuple[Kind, Change]]:
    """What may go wrong in one node, the likelier first."""
    if isinstance(node, ast.BinOp):
        yield from changes_of_operator(node)
    elif isinstance(node, ast.BoolOp):
        (other,) = SWAPS[type(node.op)]
        yield (
            turned(SIGNS[type(node.op)], SIGNS[other]),
            lambda n: setattr(n, "op", other()),
        )
        for i in range(len(node.values)):
            yield NO_CASE, lambda n, i=i: n.values.pop(i)
    elif isinstance(node, ast.Compare):
        if limit := LIMITS.get(type(node.ops[0])):
            yield LIMIT, lambda n: n.ops.__setitem__(0, limit())
        if opposite := OPPOSITES.get(type(node.ops[0])):
            yield UPSIDE_DOWN, lambda n: n.ops.__setitem__(0, opposite())
    elif isinstance(node, ast.UnaryOp):
        yield from changes_of_sign(node)
    elif isinstance(node, ast.Constant):
        yield from changes_of_constant(node)
    elif isinstance(node, ast.Call):
        yield from changes_of_call(node)
    elif isinstance(node, ast.keyword):
        yield from changes_of_keyword(node)
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H"):
        yield left_out("a transpose"), lambda n: become(n, n.value)
    elif isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                yield OFF_BY_ONE, lambda n, bound=bound: setattr(n, bound, None)
    elif isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            constant = ast.Constant(value)
            yield NO_CASE, lambda n, c=constant: setattr(n, "test", c)
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield NO_CASE, lambda n, i=i: n.ifs.pop(i)
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        if len(node.value.elts) == 2:
            yield SIDES, lambda n: n.value.elts.reverse()
    elif isinstance(node, ast.AugAssign):
        yield (
            Kind(
                "only the last one",
                "It comes out as if a total kept only what came last. Which line adds "
                "to what is there already?",
            ),
            lambda n: become(n, ast.Assign([n.target], n.value)),
        )
    yield from changes_of_body(node)


def changes_of_operator(node: ast.BinOp) -> Iterator[tuple[Kind, Change]]:
    sign = SIGNS.get(type(node.op))
    for other in SWAPS.get(type(node.op), ()):
        yield (
            turned(sign or "another operator", SIGNS[other]),
            lambda n, other=other: setattr(n, "op", other()),
        )
    yield left_out(f"`{sign.strip('`')} …`" if sign else "an operand"), drop_right
    if isinstance(node.op, ast.Add | ast.Mult):
        yield left_out("a summand or a factor"), lambda n: become(n, n.right)
    if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        yield SIDES, exchange_sides
    if isinstance(node.op, ast.Mult | ast.Div) and is_sum(node.left):
        yield BRACKETS, open_left
    if isinstance(node.op, ast.Mult | ast.Div) and is_sum(node.right):
        yield BRACKETS, open_right


def changes_of_sign(node: ast.UnaryOp) -> Iterator[tuple[Kind, Change]]:
    if isinstance(node.op, ast.Not | ast.Invert):
        yield UPSIDE_DOWN, lambda n: become(n, n.operand)
    elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield left_out("a minus sign"), lambda n: become(n, n.operand)


def changes_of_constant(node: ast.Constant) -> Iterator[tuple[Kind, Change]]:
    value = node.value
    if isinstance(value, bool):
        yield UPSIDE_DOWN, lambda n: setattr(n, "value", not value)
    elif isinstance(value, int):
        for other in (value + 1, value - 1):
            yield OFF_BY_ONE, lambda n, other=other: setattr(n, "value", other)
        if value > 1:
            yield FACTOR, lambda n: setattr(n, "value", 2 * value)
    elif isinstance(value, float) and value and abs(value) < 1e12:
        for other in (2 * value, value / 2):
            yield FACTOR, lambda n, other=other: setattr(n, "value", other)


def changes_of_call(node: ast.Call) -> Iterator[tuple[Kind, Change]]:
    name = called(node)
    for one, other in LIKE:
        for old, new in ((one, other), (other, one)):
            if name == old:
                kind = turned(f"`{old}`", f"`{new}`")
                yield kind, lambda n, new=new: rename(n, new)
    inner = of_what(node)
    if inner and name:
        yield left_out(f"`{name}`"), lambda n: become(n, of_what(n))
    for i, argument in enumerate(node.args):
        if (number := whole_number(argument)) is not None and name in NAMES_OF_AXES:
            for other in {0, 1, -1, -2} - {number}:
                constant = ast.Constant(other)
                yield AXIS, lambda n, i=i, c=constant: n.args.__setitem__(i, c)
    if name == "range":
        last = len(node.args) - 1 if len(node.args) < 3 else 1
        for op in (ast.Sub, ast.Add):
            yield (
                OFF_BY_ONE,
                lambda n, op=op: n.args.__setitem__(
                    last, ast.BinOp(n.args[last], op(), ast.Constant(1))
                ),
            )
    if len(node.args) == 2 or name == "where":
        yield SIDES, exchange_arguments
    for i, keyword in enumerate(node.keywords):
        if keyword.arg:
            kind = SHAPE if keyword.arg in KEEPS else left_out(f"`{keyword.arg}=`")
            yield kind, lambda n, i=i: n.keywords.pop(i)


def changes_of_keyword(node: ast.keyword) -> Iterator[tuple[Kind, Change]]:
    number = whole_number(node.value)
    if node.arg in AXES and number is not None:
        for other in {0, 1, -1, -2} - {number}:
            constant = ast.Constant(other)
            yield AXIS, lambda n, c=constant: setattr(n, "value", c)
        yield AXIS, lambda n: setattr(n, "value", ast.Constant(None))


def changes_of_body(node: ast.AST) -> Iterator[tuple[Kind, Change]]:
    """A statement left out, where others stand beside it."""
    for field in ("body", "orelse"):
        body = getattr(node, field, None)
        if isinstance(body, list) and len(body) > 1 and not is_whole_answer(node):
            for i, statement in enumerate(body):
                if isinstance(statement, ast.Return | ast.FunctionDef | ast.Import):
                    continue
                kind = NO_CASE if isinstance(statement, ast.If) else NO_STEP
                yield kind, lambda n, i=i, field=field: getattr(n, field).pop(i)


NAMES_OF_AXES = {
    *(
        "sum",
        "mean",
        "max",
        "min",
        "var",
        "std",
        "softmax",
        "argmax",
        "argmin",
        "cumsum",
    ),
    *("argsort", "sort", "cat", "stack", "concatenate", "squeeze", "unsqueeze", "flip"),
    *("expand_dims", "repeat_interleave", "any", "all", "prod", "logsumexp", "topk"),
}


def is_whole_answer(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.ClassDef)


def whole_number(node: ast.AST) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = whole_number(node.operand)
        return None if number is None else -number
    is_int = isinstance(node, ast.Constant) and type(node.value) is int
    return node.value if is_int else None


def called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def of_what(node: ast.Call) -> ast.AST | None:
    """What a call works on: x in `x.abs()`, and in `np.abs(x)`."""
    if isinstance(node.func, ast.Attribute):
        library = isinstance(node.func.value, ast.Name) and node.func.value.id in {
            *("np", "torch", "F", "math", "nn")
        }
        if not library:
            return node.func.value
    return node.args[0] if node.args else None


def rename(node: ast.Call, name: str) -> None:
    field = "attr" if isinstance(node.func, ast.Attribute) else "id"
    setattr(node.func, field, name)


def drop_right(node: ast.BinOp) -> None:
    become(node, node.left)


def exchange_sides(node: ast.BinOp) -> None:
    node.left, node.right = node.right, node.left


def is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)


def open_left(node: ast.BinOp) -> None:
    """(a + b) / c as a + b / c."""
    first, plus, last = node.left.left, node.left.op, node.left.right
    become(node, ast.BinOp(first, plus, ast.BinOp(last, node.op, node.right)))


def open_right(node: ast.BinOp) -> None:
    """a / (b + c) as a / b + c."""
    first, plus, last = node.right.left, node.right.op, node.right.right
    become(node, ast.BinOp(ast.BinOp(node.left, node.op, first), plus, last))


def exchange_arguments(node: ast.Call) -> None:
    node.args[-2:] = node.args[:-3:-1]


def become(node: ast.AST, other: ast.AST | None) -> None:
    """Put another node in the place of this one."""
    assert other is not None
    node.__class__ = other.__class__
    node.__dict__ = dict(other.__dict__)
