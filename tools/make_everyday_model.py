"""Trains the translator of the book's first page, and writes its files.

Beside the book's grammar it learns a phrasebook: what people type first. Names, nouns
and other words are hidden now and then, so that it passes on what it doesn't know.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from make_page_model import HIDDEN, SHARE, hide_words, sides, word_help

from tt_utils.atomic_write import write_atomically
from tt_utils.data.corpora import GRAMMAR_PAIRS, encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.grammar.lexicon import NOUNS
from tt_utils.data.grammar.rules import BOOK_PAIRS
from tt_utils.data.phrasebook import phrases
from tt_utils.data.phrasebook.words import NAMES, THINGS
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.bleu import exact_match
from tt_utils.evaluation.translation import as_words, held_out_texts
from tt_utils.figures.bundle import EVERYDAY
from tt_utils.figures.model_file import (
    describe,
    pack,
    page_tensors,
    restore,
    write_info,
)
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes import RECIPES, prepare

Words = tuple[list[str], list[str]]
PHRASES, NEW_PHRASES = 250_000, 2_000
D_FF = 212  # with the larger vocabularies the file is as small as the other model's
STEPS = 10_000
LARGEST = 63  # 127 numbers in place of 255: the file is an eighth smaller
EXAMPLES = (
    "the ball is blue",
    "hello my name is Anna",
    "I love you",
    "I am a student",
    "the cat sat on the mat",
    "are you hungry ?",
    "my mother is a doctor",
    "it is raining today",
    "do you like music ?",
    "the animal did not cross the street because it was too tired",
    "your nervous dog drank the milk",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=EVERYDAY)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    seed_everything(given.seed)
    rng = random.Random(given.seed)
    grammar = sentence_pairs(GRAMMAR_PAIRS, seed=0, split="train")
    said = [pair for pair in phrases(PHRASES, seed=0) if not of_the_book(pair)]
    plain = [*sides(grammar), *said]
    words = tuple(map(WordTokenizer.from_sentences, zip(*plain, strict=True)))
    hidden = [
        *sides(hide_words(pair, rng) for pair in grammar),
        *(hide_names_and_nouns(pair, rng) for pair in said),
    ]
    ready = prepare("grammar", "quick", seed=given.seed)
    recipe = RECIPES["grammar", "quick"]
    sized = replace(recipe, model=recipe.model | {"d_ff": D_FF})
    model = Transformer(sized.config(*words))
    data = replace(ready.data, pairs=encode_pairs(hidden, *words))
    train(model, data, replace(ready.training, steps=STEPS))
    packed, entry = pack(model, f"step-{STEPS}", largest=LARGEST)
    write_atomically(given.folder / entry["file"], packed)
    restore(model, page_tensors(model, LARGEST))
    translator = Translator(model.eval(), *words, ready.about)
    figures = {"step": STEPS, "exact": exact(translator, held_out_texts(ready.about))}
    known = {" ".join(source) for source, _ in said}
    drawn = {" ".join(s): " ".join(t) for s, t in phrases(NEW_PHRASES, seed=1)}
    new = [pair for pair in drawn.items() if pair[0] not in known]
    figures |= {"new_phrases": len(new), "phrases_exact": exact(translator, new)}
    origin = (
        f"tools/make_everyday_model.py, seed {given.seed}: {STEPS:,} steps on "
        f"{GRAMMAR_PAIRS:,} sentence pairs of the book's grammar and {PHRASES:,} of "
        "its phrasebook, some words hidden"
    )
    info = describe(model, words, [figures | entry], examples(plain), origin=origin)
    write_info(given.folder, info | word_help() | {"objects": True})
    print(f"{len(packed):,} bytes, {figures}")


def exact(translator: Translator, pairs: Iterable[tuple[str, str]]) -> float:
    """Give the share of texts that are translated word for word as here."""
    texts, wanted = zip(*pairs, strict=True)
    outputs = translator.translate(texts, beam_size=1)
    return exact_match(as_words(outputs), as_words(wanted))


def of_the_book(pair: Words) -> bool:
    """Say whether a sentence combines words that the book's own sentences keep new."""
    return any(words <= set(pair[0]) for words in map(set, BOOK_PAIRS))


def hide_names_and_nouns(pair: Words, rng: random.Random) -> Words:
    """Hide some words that both sentences hold once, in both."""
    source, target = map(list, pair)
    for i, english in enumerate(source):
        ways = PARTNERS.get(english, ())
        there = [word for word in target if word in ways]
        if len(there) == 1 and source.count(english) == 1 and rng.random() < SHARE:
            source[i] = HIDDEN
            target[target.index(there[0])] = HIDDEN
    return source, target


PARTNERS: dict[str, set[str]] = {}
for noun in (*NOUNS, *THINGS):
    PARTNERS.setdefault(noun.en, set()).add(noun.es)
    if noun.en_plural:
        PARTNERS.setdefault(noun.en_plural, set()).add(noun.es_plural)
PARTNERS |= {name: {name} for names in NAMES.values() for name in names.split()}


def examples(pairs: Iterable[Words]) -> list[SentencePair]:
    """List the sentences that the page offers."""
    new = sides(sentence_pairs(GRAMMAR_PAIRS, seed=0, split="test"))
    known = {" ".join(source): (source, target) for source, target in [*pairs, *new]}
    return [SentencePair(*known[text], set(), set()) for text in EXAMPLES]


if __name__ == "__main__":
    main()
