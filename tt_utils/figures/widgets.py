"""The book's figures in a notebook: what the reader moves reaches Python, and back.

Each figure's state is a set of traits. Read one (`figure.query`), set one, watch it
with `figure.observe`, or link it to a control of ipywidgets.
"""

import base64
import html
import json
import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import anywidget
from IPython.display import display
from traitlets import (
    Bool,
    Dict,
    Enum,
    Float,
    Int,
    List,
    TraitError,
    Tuple,
    Unicode,
    Union,
    validate,
)

from tt_utils.figures.bundle import MODEL, STATIC, bundle

if TYPE_CHECKING:
    from tt_utils.decoding.translator import Translator
    from tt_utils.models.vit import ViT

SCRIPT = bundle("widget")
VIEW = "application/vnd.jupyter.widget-view+json"
# JupyterLab reports a view without its kernel as an error; the picture stays instead.
HIDE_VIEW = (
    "<style>.jp-OutputArea-child:has(.tt-stand-in) + .jp-OutputArea-child:has("
    ".jupyter-widgets) {display: none}</style>"
)
REACH = 4
SIDE, GREYS = 8, 16
Handed = tuple[dict[str, Any], dict[str, bytes]]  # a model's description and its files
BEFORE_LAYERS = ("tokens", "embedding", "position")
HEAD = re.compile(r"(encoder|decoder|cross)\.[0-9]\.[0-9]")
SUBLAYER = re.compile(r"(en|de)coder\.layers\.[0-9]\.residuals\.[0-9]")


class Figure(anywidget.AnyWidget):
    """A figure of the book; a subclass names its element and its state.

    Without a kernel a picture stands in its place; in the book the page brings it to
    life by itself.
    """

    _esm = SCRIPT
    _tag = Unicode().tag(sync=True)
    _names = List(Unicode()).tag(sync=True)
    summary: str

    def __init__(self, **state: Any) -> None:
        known = self.class_trait_names(state=True)
        for name in state:
            if name not in known:
                raise TypeError(
                    f"{type(self).__name__} has no {name!r}; it has {', '.join(known)}."
                )
        super().__init__(_names=known, **state)

    def _ipython_display_(self) -> None:
        # In two outputs, so that the first one stays where the second can't be drawn.
        display({"text/html": self.stand_in(), "text/plain": self._summary()}, raw=True)
        view, about = self._repr_mimebundle_()
        display({VIEW: view[VIEW]}, raw=True, metadata=about)

    def stand_in(self) -> str:
        """Write the element with its state, and what shows until it comes to life."""
        state = {
            name: value
            for name in self._names
            if (value := getattr(self, name)) != self.traits()[name].default()
        }
        asked = f" state='{html.escape(json.dumps(state))}'" if state else ""
        return (
            f'{HIDE_VIEW}<{self._tag} class="tt-stand-in"{asked}>'
            f'<img src="{picture(self._picture())}" alt="{html.escape(self.summary)}" '
            f'style="max-width: min(100%, 30rem)"><p>{self._summary()} It comes '
            f"to life when this cell is run, and in the book's page.</p></{self._tag}>"
        )

    def _picture(self) -> str:
        """Name the picture that shows this state, or the figure at its start."""
        return self._tag.removeprefix("tt-")

    def _summary(self) -> str:
        """Say what this state shows; `summary` is of the figure at its start."""
        return self.summary


@cache
def picture(name: str) -> str:
    """Read a figure's picture as an address that holds it."""
    data = (STATIC / "pictures" / f"{name}.png").read_bytes()
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def state(trait: Any) -> Any:
    """Mark a trait as something that the reader may change."""
    return trait.tag(sync=True, state=True)


class Finite(Float):
    """A number, and neither nan nor infinite, which JSON can't carry."""

    def validate(self, obj: Any, value: Any) -> float:
        value = super().validate(obj, value)
        if not math.isfinite(value):
            self.error(obj, value)
        return value


class Whole(Int):
    """A whole number, and neither True nor False."""

    def validate(self, obj: Any, value: Any) -> int:
        if isinstance(value, bool):
            self.error(obj, value)
        return super().validate(obj, value)


class DotProduct(Figure):
    """Two vectors in a plane, their dot product and their cosine.

    State: `u` and `v`, two coordinates each, from -4 to 4.
    """

    _tag = Unicode("tt-dot-product").tag(sync=True)
    summary = "Two vectors in a plane, with their dot product and their cosine."
    u = state(Tuple(*[Finite(min=-REACH, max=REACH)] * 2, default_value=(3, 1)))
    v = state(Tuple(*[Finite(min=-REACH, max=REACH)] * 2, default_value=(-1, 3)))


class SoftLookup(Figure):
    """A query that slides along three keys.

    State: `query`, from -3 to 3, and `temperature`, from 0.03 to 32.
    """

    _tag = Unicode("tt-soft-lookup").tag(sync=True)
    summary = "A query between three keys, the weights it gives them and the answer."
    query = state(Finite(0.0, min=-3, max=3))
    temperature = state(Finite(1.0, min=0.03, max=32))


class Scale(Figure):
    """Softmax over eight random keys, with and without the division by √d_k.

    State: `d_k`, a power of two from 4 to 1,024, and `seed` of the random numbers.
    """

    _tag = Unicode("tt-scale").tag(sync=True)
    summary = "The weights of eight random keys, with and without the scale."
    d_k = state(Enum([2**power for power in range(2, 11)], default_value=1024))
    seed = state(Whole(1, min=1, max=10**6))


class Masks(Figure):
    """A mask to build cell by cell, with a check that says what is wrong.

    State: `task`, and `allowed`, 6 × 6 booleans; True means "may attend".
    """

    _tag = Unicode("tt-masks").tag(sync=True)
    summary = "A mask of six rows and six columns, to be opened and closed."
    task = state(
        Enum(
            ["hide the padding", "hide the future", "hide both"],
            default_value="hide the padding",
        )
    )
    allowed = state(
        List(
            List(Bool(), minlen=6, maxlen=6),
            default_value=[[True] * 6 for _ in range(6)],
            minlen=6,
            maxlen=6,
        )
    )


class Clocks(Figure):
    """Two positions as the hands of clocks, with their dot product.

    State: the position `p` and the distance `s`, each from 0 to 63.
    """

    _tag = Unicode("tt-clocks").tag(sync=True)
    summary = "Two positions as the hands of four clocks, from fast to slow."
    p = state(Whole(3, min=0, max=63))
    s = state(Whole(5, min=0, max=63))


class ModelFigure(Figure):
    """A figure that calculates with a trained model, which the kernel hands out."""

    _info = Dict().tag(sync=True)

    def __init__(self, model: Any = None, **state: Any) -> None:
        given = self._books_model() if model is None else self._own_model(model)
        self._info, self._files = given
        super().__init__(**state)
        self.on_msg(self._hand_out)

    def _books_model(self) -> Handed:
        """Give the model that the book's page runs."""
        return books_model("model.json")

    def _own_model(self, model: "Translator") -> Handed:
        """Give a model of the reader's own."""
        return own_translator(model)

    def _hand_out(self, _: Any, message: dict[str, Any], __: Any) -> None:
        file = message.get("file")
        if file in self._files:
            self.send({"file": file}, [self._files[file]])


def named(proposal: dict[str, Any], form: re.Pattern[str], how: str) -> list[str]:
    """Refuse a list with a name that has not this form."""
    for name in proposal["value"]:
        if not form.fullmatch(name):
            raise TraitError(f"{proposal['trait'].name} holds {name!r}; {how}.")
    return proposal["value"]


def sublayers(stack: str, *parts: str) -> list[str]:
    """Name a stack, its sub-layers, and the norm and the sum of each."""
    numbers = range(1, len(parts) + 1)
    around = [f"{kind}_{n}" for kind in ("norm", "add") for n in numbers]
    return [stack, *(f"{stack}.{part}" for part in (*parts, *around, "norm"))]


BLOCKS = [
    *(f"{side}.{part}" for side in ("source", "target") for part in BEFORE_LAYERS),
    *sublayers("encoder", "self_attention", "feed_forward"),
    *sublayers("decoder", "self_attention", "cross_attention", "feed_forward"),
    *("linear", "softmax", "word"),
]


class Architecture(ModelFigure):
    """The map of the whole Transformer, with a shape on every arrow.

    It grows with the book: what a `chapter` explains is in colour, what stood before it
    solid, what is to come dashed. In chapter 13 a trained model fills it with the
    numbers of a sentence.

    State: `chapter`, from 10 to 13; the `block` that is explained, as
    "decoder.cross_attention" (`BLOCKS` of this module has all names), or None; its
    `layer`, counted from 0; the sentence (`text`); `norm_first`, pre-norm or post-norm,
    where None is the paper's post-norm before chapter 13, and there the model's
    pre-norm.

    Args:
        model: a translator of your own, as `Film` takes it.

    Raises:
        ValueError: the figure can't calculate such a model.
    """

    _tag = Unicode("tt-architecture").tag(sync=True)
    summary = (
        "The Transformer as a map: the encoder on the left, the decoder on the right, "
        "and a shape on every arrow."
    )
    chapter = state(Enum([10, 11, 12, 13], default_value=13))
    block = state(Enum(BLOCKS, default_value=None, allow_none=True))
    layer = state(Whole(0, min=0))
    text = state(Unicode("the ball is blue"))
    norm_first = state(Bool(None, allow_none=True))

    def _picture(self) -> str:
        return f"architecture-{self.chapter}"


class Film(ModelFigure):
    """One sentence on its way through the whole Transformer, block by block.

    A lane for each word holds its numbers after every block; what a block adds flows
    in, attention as lines as broad as their weights. A point of a lane opens to its
    numbers, and in the decoder to what the model would write if it stopped there.

    State: the sentence (`text`); the `moment`, counted from 0, first the encoder's
    blocks, then the decoder's, word by word; whose weights the lines show (`head`);
    `lens`, whether the lanes say what the model would write if it stopped there;
    `alone`, whether the encoder is drawn alone until the decoder begins; the opened
    `point`: the side, the block and the position, both from 0, or None. What is changed
    in the model: heads that are `cut`, as "cross.0.2"; sub-layers that are `skipped`,
    as "encoder.layers.0.residuals.1"; `unplaced`, without positions; `unmasked`,
    without the decoder's mask; `forced` first words as ids; the `snapshot`, the file of
    an earlier state of the book's model, None for the last one.

    Read only: `words`, the sentence as the model reads it; `unknown`, those among them
    that it never saw; `translation`. The browser calculates them, so they are there
    once the figure is shown and the kernel has nothing else to do.

    Args:
        model: a translator of your own, with the shape of the book's: pre-norm,
            sinusoidal positions, the target table tied, whole words. The figure
            calculates with its weights rounded to 8 bits, as with the book's.

    Raises:
        ValueError: the figure can't calculate such a model.
    """

    _tag = Unicode("tt-film").tag(sync=True)
    summary = (
        "A lane for each word of a sentence, with its numbers after every block of the "
        "encoder and the decoder, and lines for what attention fetches."
    )
    text = state(Unicode("the ball is blue"))
    moment = state(Whole(0, min=0))
    head = state(Union([Whole(min=0), Enum(["mean"])], default_value="mean"))
    lens = state(Bool(False))
    alone = state(Bool(False))
    forced = state(List(Whole(min=0)))
    cut = state(List(Unicode()))
    skipped = state(List(Unicode()))
    unmasked = state(Bool(False))
    unplaced = state(Bool(False))
    snapshot = state(Unicode(None, allow_none=True))
    words = List(Unicode(), read_only=True).tag(sync=True)
    unknown = List(Unicode(), read_only=True).tag(sync=True)
    translation = List(Unicode(), read_only=True).tag(sync=True)
    point = state(
        Tuple(
            Enum(["encoder", "decoder"]),
            Whole(min=0),
            Whole(min=0),
            default_value=None,
            allow_none=True,
        )
    )

    @validate("cut")
    def _heads(self, proposal: dict[str, Any]) -> list[str]:
        return named(proposal, HEAD, 'a head has a name as "cross.0.2"')

    @validate("snapshot")
    def _known(self, proposal: dict[str, Any]) -> str | None:
        if proposal["value"] not in (None, *self._files):
            raise TraitError(
                f"snapshot is {proposal['value']!r}; choose None or one of "
                f"{', '.join(self._files)}."
            )
        return proposal["value"]

    @validate("skipped")
    def _sublayers(self, proposal: dict[str, Any]) -> list[str]:
        how = 'a sub-layer has a name as "encoder.layers.0.residuals.1"'
        return named(proposal, SUBLAYER, how)


class Digit(ModelFigure):
    """A digit to draw, and a Vision Transformer that reads it, patch by patch.

    State: the `drawing`, 8 rows of 8 counts of ink from 0 to 16, or None for the first
    example; the `layer` whose attention is on show, counted from 0, where None is the
    last; its `head`, or "mean"; the chosen `cell`, row and column from 0; and the
    patches that are `cut`, counted from 0, row by row.

    Read only: the `image` that the model reads, 8 × 8 as `drawing`; its ten `logits`,
    none for an empty image; and the `digit` of the highest. The browser calculates
    them, so they are there once the figure is shown and the kernel has nothing else to
    do.

    Args:
        model: a ViT of your own for the same images, whatever its sizes and patches:
            pre-norm, GELU, learned positions. The figure calculates with its weights
            rounded to 8 bits, as with the book's.

    Raises:
        ValueError: the figure can't calculate such a model.
    """

    _tag = Unicode("tt-digit").tag(sync=True)
    summary = (
        "A square to draw a digit in, the 8 × 8 image that a Vision Transformer sees "
        "of it with a dot for each patch, and how probable it holds each digit to be."
    )
    drawing = state(
        List(
            List(Whole(min=0, max=GREYS), minlen=SIDE, maxlen=SIDE),
            None,
            allow_none=True,
            minlen=SIDE,
            maxlen=SIDE,
        )
    )
    layer = state(Whole(None, allow_none=True, min=0))
    head = state(Union([Whole(min=0), Enum(["mean"])], default_value="mean"))
    cell = state(
        List(Whole(min=0, max=SIDE - 1), None, allow_none=True, minlen=2, maxlen=2)
    )
    cut = state(List(Whole(min=0)))
    image = List(List(Int()), read_only=True).tag(sync=True)
    logits = List(Float(), read_only=True).tag(sync=True)
    digit = Int(None, allow_none=True, read_only=True).tag(sync=True)

    def _books_model(self) -> Handed:
        return books_model("digits.json")

    def _own_model(self, model: "ViT") -> Handed:
        return own_vit(model)


@cache
def books_model(description: str) -> Handed:
    """Read the description and the files of a model that the book's page runs."""
    info = json.loads((MODEL / description).read_text(encoding="utf-8"))
    names = [snapshot["file"] for snapshot in info["snapshots"]]
    return info, {name: (MODEL / name).read_bytes() for name in names}


def own_translator(given: "Translator") -> Handed:
    from tt_utils.figures.model_file import describe, pack

    packed, entry = pack(given.model, "model")
    info = describe(given.model, (given.source, given.target), [entry], examples=[])
    return info, {entry["file"]: packed}


def own_vit(given: "ViT") -> Handed:
    from tt_utils.figures.vit_file import describe_vit, pack_vit

    packed, entry = pack_vit(given, "model")
    examples = books_model("digits.json")[0]["examples"]
    info = describe_vit(given, [entry]) | {"examples": examples}
    return info, {entry["file"]: packed}
