"""Trains the translator that runs inside the book's pages, and writes its files.

It learns a little longer than the tour's, from more sentences, and with some words
hidden in both languages, so that it learns to pass on what it doesn't know.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections.abc import Iterable
from dataclasses import replace
from operator import eq
from pathlib import Path
from statistics import mean
from typing import Any

from nearest_words import NEAREST

from tt_utils.atomic_write import write_atomically
from tt_utils.data.corpora import GRAMMAR_PAIRS, encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.grammar.lexicon import ADJECTIVES, NOUNS, VERBS
from tt_utils.data.grammar.rules import PLACES
from tt_utils.data.tokenizer import SPECIAL, UNK
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.translation import held_out_texts
from tt_utils.figures.bundle import MODEL
from tt_utils.figures.model_file import (
    INFO,
    describe,
    pack,
    page_tensors,
    restore,
    write_info,
)
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import prepare

HIDDEN = SPECIAL[UNK]
SHARE = 0.06
EARLY = (0, 200, 800)
OPENING = SentencePair(
    source=["the", "black", "cat", "drank", "the", "milk"],
    target=["el", "gato", "negro", "bebió", "la", "leche"],
    alignment={(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5)},
    sure={(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5)},
)
EXAMPLES = (
    "the ball is blue",
    "your nervous dog drank the milk",
    "the black cat saw the cheap apples today",
    "she is tall",
    "the woman did not read this book",
    "did you break the box ?",
    "where was the old shoe ?",
    "the grandmother who calls the bears hid that potato",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=MODEL)
    parser.add_argument(
        "--only-words",
        action="store_true",
        help="write anew what the page says of the words, and train nothing",
    )
    given = parser.parse_args()
    if given.only_words:
        info = json.loads((given.folder / INFO).read_text(encoding="utf-8"))
        write_info(given.folder, info | word_help())
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    seed_everything(given.seed)
    ready = prepare("grammar", "quick", seed=given.seed)
    words = ready.source, ready.target
    drawn = sentence_pairs(GRAMMAR_PAIRS, seed=0, split="train")
    rng = random.Random(given.seed)
    model = Transformer(ready.model)
    early = {0: copy.deepcopy(model)}

    def keep(step: int) -> None:
        if step + 1 in EARLY:
            early[step + 1] = copy.deepcopy(model)

    hidden = encode_pairs(sides(hide_words(p, rng) for p in drawn), *words)
    train(
        model,
        replace(ready.data, pairs=hidden),
        ready.training,
        keep,
        validate=lambda model: validation_loss(model, ready.valid),
    )
    texts, wanted = zip(*held_out_texts(ready.about), strict=True)
    snapshots = []
    for step, kept in (early | {ready.training.steps: model}).items():
        packed, entry = pack(kept, f"step-{step}")
        write_atomically(given.folder / entry["file"], packed)
        translator = Translator(kept.eval(), *words, ready.about)
        before = translator.translate(texts, beam_size=1)
        restore(kept, page_tensors(kept))
        after = translator.translate(texts, beam_size=1)
        figures = {
            "exact": mean(map(eq, after, wanted)),
            "same_unrounded": mean(map(eq, after, before)),
        }
        snapshots.append({"step": step} | figures | entry)
        print(snapshots[-1], flush=True)
    origin = (
        f"tools/make_page_model.py, seed {given.seed}: {ready.training.steps:,} steps "
        f"on {GRAMMAR_PAIRS:,} sentence pairs of the book's grammar, some words hidden"
    )
    info = describe(model, words, snapshots, examples(), origin=origin)
    write_info(given.folder, info | word_help())


def word_help() -> dict[str, Any]:
    """Give the page the grammar's words by kind, and stand-ins for others."""
    joined = " ".join
    nouns = [
        f"{joined(filter(None, (n.en, n.en_plural)))}|{joined(sorted(n.kinds))}"
        for n in NOUNS
    ]
    adjectives = [f"{a.en}|{joined(sorted(a.kinds))}" for a in ADJECTIVES]
    verbs = [
        f"{v.en} {v.en_3sg} {v.en_past}|{joined(sorted(v.subjects))}"
        f"|{joined(sorted(v.objects))}"
        for v in VERBS
    ]
    places = [f"{english}|{kind}" for english, _, kind in PLACES]
    grammar = {"nouns": nouns, "adjectives": adjectives, "verbs": verbs}
    return {"grammar": grammar | {"places": places}, "nearest": NEAREST}


def sides(pairs: Iterable[SentencePair]) -> list[tuple[list[str], list[str]]]:
    """Give the words of both languages."""
    return [(pair.source, pair.target) for pair in pairs]


def hide_words(pair: SentencePair, rng: random.Random) -> SentencePair:
    """Hide some words that have one sure partner, and the partner with them."""
    source, target = list(pair.source), list(pair.target)
    for i, j in pair.sure:
        alone = [link for link in pair.alignment if link[0] == i or link[1] == j]
        if len(alone) == 1 and rng.random() < SHARE:
            source[i] = target[j] = HIDDEN
    return replace(pair, source=source, target=target)


def examples() -> list[SentencePair]:
    """List the sentences that the page offers, with gold links where they are drawn."""
    known = {}
    for split in ("train", "test"):
        for pair in sentence_pairs(GRAMMAR_PAIRS, seed=0, split=split):
            known.setdefault(" ".join(pair.source), pair)
    return [OPENING, *(known[text] for text in EXAMPLES)]


if __name__ == "__main__":
    main()
