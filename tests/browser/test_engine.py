"""The Transformer in the page computes what PyTorch computes with the same weights."""

import gzip
import json
import re
from dataclasses import replace
from functools import cache

import make_page_model
import numpy as np
import pytest
import torch
from module_outputs import outputs
from nearest_words import NEAREST
from without_type_checks import types_unchecked

from tt_utils.data.batching import make_batch
from tt_utils.data.corpora import encode_pairs, grammar_test_pairs
from tt_utils.data.grammar import SentencePair
from tt_utils.data.grammar.lexicon import NOUNS
from tt_utils.data.grammar.rules import MAX_WORDS
from tt_utils.data.tokenizer import SPECIAL, WordTokenizer
from tt_utils.decoding.search import greedy_decode
from tt_utils.evaluation.bleu import exact_match
from tt_utils.figures.bundle import MODEL
from tt_utils.figures.model_file import SIZES, WANTED
from tt_utils.figures.page_model import page_translator
from tt_utils.training.recipes import RECIPES

INFO = json.loads((MODEL / "model.json").read_text(encoding="utf-8"))
COUNT = 200
HEAVY = {
    "tt-architecture": 22_800,
    "tt-digit": 14_000,
    "tt-film": 37_300,
}
HEADS = {form for noun in NOUNS for form in (noun.en, noun.en_plural) if form}

TRANSLATE = """async ([folder, texts, full]) => {
  const { Model, trace } = await import(`${folder}/tt-film.mjs`);
  const model = await Model.load(new URL("model/", `${folder}/`));
  const list = m => ({shape: [m.rows, m.columns], data: [...m.data]});
  const found = texts.map(text => {
    const { heads, seen, wrote } = trace(model, text);
    const layers = (stack, kind) => [0, 1].map(layer =>
      heads.get(`${stack}.layers.${layer}.${kind}_attention`)
        .map(({ weights }) => list(weights)));
    return {
      wrote,
      ...(full ? {
        logits: list(seen.get("generator")),
        encoder: layers("encoder", "self"),
        decoder: layers("decoder", "self"),
        cross: layers("decoder", "cross"),
      } : {}),
    };
  });
  return JSON.stringify(found);
}"""


@cache
def unseen() -> list[SentencePair]:
    with types_unchecked():
        return grammar_test_pairs()


def words_of(side):
    return WordTokenizer(INFO["words"][side][len(SPECIAL) :])


@pytest.fixture(scope="module")
def model():
    """The page's own numbers, in PyTorch, in the shape of the recipe."""
    words = words_of("source"), words_of("target")
    recipe = RECIPES["grammar", "quick"].config(*words)
    assert all(getattr(recipe, key) == value for key, value in WANTED.items())
    assert {key: getattr(recipe, key) for key in SIZES} == INFO["config"]
    built = page_translator().model
    assert replace(built.config, dropout=recipe.dropout) == recipe
    return built


@pytest.fixture(scope="module")
def page(chromium, address):
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    yield page
    page.close()


def in_page(page, address, pairs, full):
    texts = [" ".join(pair.source) for pair in pairs]
    # As one string: Playwright takes minutes over a million single numbers.
    return json.loads(page.evaluate(TRANSLATE, [f"{address}/figures", texts, full]))


def array(given):
    return np.array(given["data"]).reshape(given["shape"])


def test_weights_and_logits_are_those_of_pytorch(page, address, model):
    pairs = unseen()[:COUNT]
    found = in_page(page, address, pairs, full=True)
    source = words_of("source")
    for pair, got in zip(pairs, found, strict=True):
        src = make_batch([(source.encode(pair.source), [])]).src
        with types_unchecked(), torch.no_grad():
            wanted = greedy_decode(model, src, 40)[0].tolist()
            tgt = torch.tensor([[1, *wanted[:-1]]])
            kept = model.attention_weights(src, tgt)
            logits = model(src, tgt)[0]
        assert got["wrote"] == wanted
        for name in ("encoder", "decoder", "cross"):
            for ours, theirs in zip(got[name], getattr(kept, name), strict=True):
                for head, weights in zip(ours, theirs[0].numpy(), strict=True):
                    assert abs(array(head) - weights).max() <= 1e-5
        for layer in got["decoder"]:
            for head in layer:
                weights = array(head)
                assert (weights[np.triu_indices_from(weights, k=1)] == 0).all()
        assert abs(array(got["logits"]) - logits.numpy()).max() <= 1e-4


def test_unseen_sentences_come_out_right_in_the_page(page, address):
    pairs = unseen()[:500]
    found = in_page(page, address, pairs, full=False)
    target = words_of("target")
    texts = [target.words_of(row["wrote"]) for row in found]
    wanted = [pair.target for pair in pairs]
    assert exact_match(texts, wanted) >= 0.98


def nothing(_module, _given, found):
    """What a block that is left out adds; attentions give their weights, too."""
    return (found[0] * 0, *found[1:]) if isinstance(found, tuple) else found * 0


@pytest.mark.parametrize(
    ("blocks", "least", "most"),
    [
        ("(en|de)coder.layers.[01].feed_forward", 0.2, 0.25),
        ("encoder.layers.[01].(self_attention|feed_forward)", 0.55, 0.65),
    ],
)
def test_few_sentences_come_out_right_without_blocks(model, blocks, least, most):
    """The film's page says of 500 sentences how many do."""
    pairs = unseen()[:500]
    out = [part for name, part in model.named_modules() if re.fullmatch(blocks, name)]
    hooks = [part.register_forward_hook(nothing) for part in out]
    source, target = words_of("source"), words_of("target")
    src = make_batch([(source.encode(pair.source), []) for pair in pairs]).src
    with types_unchecked():
        rows = greedy_decode(model, src, 40).tolist()
    for hook in hooks:
        hook.remove()
    texts = [target.words_of(row) for row in rows]
    assert len(out) == 4
    right = exact_match(texts, [pair.target for pair in pairs])
    assert least < right < most


TRACE = """async ([folder, text]) => {
  const { Model, trace } = await import(`${folder}/tt-architecture.mjs`);
  const model = await Model.load(new URL("model/", `${folder}/`));
  const list = m => ({shape: [m.rows, m.columns], data: [...m.data]});
  const { seen, heads, source, target, wrote } = trace(model, text);
  return JSON.stringify({
    source, target, wrote,
    seen: Object.fromEntries([...seen].map(([name, x]) => [name, list(x)])),
    weights: Object.fromEntries([...heads].map(([name, all]) =>
      [name, all.map(head => list(head.weights))])),
  });
}"""


@pytest.mark.parametrize("text", ["she is tall", "is the black cat in the kitchen ?"])
def test_every_traced_tensor_is_that_of_its_module(page, address, text):
    """The names are those of PyTorch's modules, all that stand in the map."""
    found = json.loads(page.evaluate(TRACE, [f"{address}/figures", text]))
    translator = page_translator()
    model = translator.model
    source, wrote = found["source"], found["wrote"]
    assert source == translator.encode(text)
    with types_unchecked(), torch.no_grad():
        src, tgt = torch.tensor([source]), torch.tensor([found["target"]])
        assert greedy_decode(model, src, 40)[0].tolist() == wrote
        wanted = outputs(model, src, tgt)
        weights = model.attention_weights(src, tgt)
    assert found["target"] == [1, *wrote[:-1]]
    assert len(source) != len(wrote)
    assert found["seen"].keys() == wanted.keys()
    for name, x in wanted.items():
        distance = np.linalg.norm(array(found["seen"][name]) - x.numpy())
        assert distance <= 1e-4 * np.linalg.norm(x), name
    for stack, kind in (("encoder", "self"), ("decoder", "self"), ("decoder", "cross")):
        theirs = getattr(weights, "cross" if kind == "cross" else stack)
        for layer, by_head in enumerate(theirs):
            ours = found["weights"][f"{stack}.layers.{layer}.{kind}_attention"]
            for head, there in zip(ours, by_head[0].numpy(), strict=True):
                assert abs(array(head) - there).max() <= 1e-5


READ = """async ([folder, text]) => {
  const { Model } = await import(`${folder}/tt-film.mjs`);
  globalThis.reader ??= await Model.load(new URL("model/", `${folder}/`));
  return reader.read(text).words;
}"""

ALIKE = {
    "capital": "The Black cat",
    "capitals": "THE CAT",
    "a name in lower case": "the cat and i",
    "apostrophe": "the cat's milk",
    "typographic apostrophe": "I don’t",
    "comma": "the cat, the dog",
    "a statement's end": "the ball is blue.",
    "two signs at the end": "the ball is blue!.",
    "only a sign": ".",
    "question": "is the ball blue?",
    "Spanish question": "¿is the ball blue?",
    "emoji": "the 🐈 is black 🐈",
    "digits": "2 cats, 10 dogs, ½ or x²",
    "double spaces": "  the  black \t cat \n",
    "no-break spaces": "the\u00a0black\u202fcat",
    "hyphen": "the well-known cat",
    "underscore": "the black_cat",
    "accent, composed": "the caf\u00e9",
    "capital that grows in lower case": "İ",
    "accent, decomposed": "the cafe\u0301",
    "mark that can't be composed": "the x\u0302",
    "vowel signs": "हिन्दी",
    "zero-width space": "the\u200bcat",
    "soft hyphen": "the bl\u00adack cat",
    "joined emoji": "the 🐈\u200d⬛",
    "right-to-left override": "the \u202ecat",
    "byte order mark": "\ufeffthe cat",
    "null": "the\x00 cat",
    "next line": "the\x85cat",
    "unit separator": "the\x1fcat",
}


@pytest.mark.parametrize("text", ALIKE.values(), ids=ALIKE)
def test_same_words_in_page_and_python(page, address, text):
    found = page.evaluate(READ, [f"{address}/figures", text])
    assert words_of("source").split_words(text) == found


TIDY = """async ([folder, texts]) => {
  const { tidy } = await import(`${folder}/tt-film.mjs`);
  return texts.map(tidy);
}"""

FORGIVEN = {
    "The Black cat.": "The Black cat",
    "the cat, the dog": "the cat the dog",
    "“the cat” — the dog…": "the cat the dog",
    "I don’t see, you can't": "I do not see you can not",
    "she's tired, I'm not, they're here": "she is tired I am not they are here",
    "DON'T": "DO not",
    "the cat's milk": "the cat\u02bcs milk",
    "is the ball blue ??": "is the ball blue?",
    "¿what?!": "what?",
    "ＴＨＥ ｃａｔ？": "THE cat?",
    "the cafe\u0301": "the caf\u00e9",
    "the\u200bcat": "the cat",
    "the bl\u00adack \u202ecat": "the black cat",
    "the 🐈 is black 🐈\u200d⬛": "the is black",
    "well-known, black_cat": "well known black cat",
    "  the  \t cat \n": "the cat",
    "-- ! --": "",
}


def test_what_is_typed_is_made_plain_before_it_is_read(page, address):
    """One step before the tokenizer, which reads as Python's does."""
    found = page.evaluate(TIDY, [f"{address}/figures", list(FORGIVEN)])
    assert dict(zip(FORGIVEN, found, strict=True)) == FORGIVEN
    assert page.evaluate(TIDY, [f"{address}/figures", found]) == found


def test_sentences_of_the_grammar_are_plain_already(page, address):
    texts = [" ".join(pair.source) for pair in unseen()[:COUNT]]
    found = page.evaluate(TIDY, [f"{address}/figures", texts])
    assert found == [text.replace(" ?", "?") for text in texts]
    assert page.evaluate(READ, [f"{address}/figures", found[0]]) == texts[0].split()


SURPRISES = """async ([folder, count]) => {
  const { Model, surprise } = await import(`${folder}/tt-film.mjs`);
  const model = await Model.load(new URL("model/", `${folder}/`));
  return Array.from({ length: count }, () => surprise(model.info.grammar));
}"""


def test_a_surprise_is_a_sentence_of_the_grammar(page, address):
    texts = page.evaluate(SURPRISES, [f"{address}/figures", 400])
    assert len(set(texts)) > 350
    known = words_of("source")
    plural = {noun.en_plural for noun in NOUNS}
    one = ["a", "an", "this", "that", "every"]
    several = ["these", "those", "two", "many"]
    for text in texts:
        words = known.split_words(text)
        assert known.unknown(text) == []
        assert len(words) <= MAX_WORDS
        assert not ("every" in words and "not" in words), text
        for i, word in enumerate(words):
            if word in ("a", "an"):
                assert (word == "an") == (words[i + 1][0] in "aeiou"), text
            if word in one + several:
                head = next(w for w in words[i + 1 :] if w in HEADS)
                assert (head in plural) == (word in several), text


def test_the_page_is_told_what_the_tool_says_of_the_words():
    for name, value in make_page_model.word_help().items():
        assert INFO[name] == value
    known = set(INFO["words"]["source"]) | {"-"}
    for word, choices in NEAREST.items():
        assert set(choices.split()) <= known, word
        assert word not in known


CUTS = """async ([folder, texts, changes]) => {
  const { Model, translate } = await import(`${folder}/tt-film.mjs`);
  const rows = [];
  for (const { snapshot, forced = [], cut, ...others } of changes) {
    const model = await Model.load(new URL("model/", `${folder}/`), snapshot);
    const ids = forced.map(word => model.target.indexOf(word));
    const written = text =>
      translate(model, text, { cut: new Set(cut), ...others }, ids).wrote
        .map(id => model.target[id]).join(" ");
    rows.push(texts.map(written));
  }
  return rows;
}"""


def test_what_the_page_says_of_cuts_and_masks(page, address):
    texts = [" ".join(pair.source) for pair in unseen()[:100]]
    texts += ["the ball is blue", "the cat saw the dog", "the dog saw the cat"]
    changes = [{}, {"cut": ["cross.1.2"]}, {"cut": ["cross.1.3"]}]
    changes += [{"unmasked": True}, {"unplaced": True}]
    found = page.evaluate(CUTS, [f"{address}/figures", texts, changes])
    plain, noun_head, next_head, unmasked, unplaced = found
    assert 0.6 < np.mean([a != b for a, b in zip(plain, noun_head, strict=True)]) < 0.75
    assert next_head == unmasked == plain
    assert noun_head[-3] == "el bola es azul </s>"
    assert unplaced[-1] == unplaced[-2] == "el perro vio al gato </s>"


def test_what_the_page_says_of_forced_words_and_early_models(page, address):
    changes = [{"forced": ["la"]}, {"forced": ["el", "gato", "negra"]}]
    changes += [{"snapshot": f"step-{step}.safetensors.gz"} for step in (0, 200)]
    texts = ["the black cat drank the milk", "the zebra cried"]
    changes.append({})
    found = page.evaluate(CUTS, [f"{address}/figures", texts, changes])
    wrong_start, wrong_end, untrained, early, _ = [row[0] for row in found]
    assert wrong_start == "la gato negro bebió la leche </s>"
    assert wrong_end == early == "el gato negra bebió la leche </s>"
    assert len(set(untrained.split())) == 1
    assert found[-1][1] == "los <unk> lloraron </s>"


def test_the_page_offers_the_examples_that_its_tool_names():
    names = [make_page_model.OPENING.source, *map(str.split, make_page_model.EXAMPLES)]
    assert [e["source"] for e in INFO["examples"]] == [
        " ".join(words) for words in names
    ]
    assert all(example["sure"] for example in INFO["examples"])
    assert INFO["snapshots"][-1]["same_unrounded"] >= 0.99


def test_the_files_are_small(book):
    assert (MODEL / INFO["snapshots"][-1]["file"]).stat().st_size <= 320_000
    words = gzip.compress((MODEL / "model.json").read_bytes())
    assert len(words) <= 8_000
    sizes = {
        script.stem: len(gzip.compress(script.read_bytes()))
        for folder in ("figures", "_static")
        for script in (book / folder).glob("*.mjs")
    }
    for name, size in sizes.items():
        assert size <= HEAVY.get(name, 6_800), name
    together = ["tt-film", "terms", "wide", "print"]  # on the film's page
    assert sum(sizes[name] for name in together) <= 40_000


def test_hidden_words_are_passed_on(model):
    """What the model doesn't know stays unknown, and the rest is translated."""
    words = words_of("source"), words_of("target")
    ids = encode_pairs(
        [("the zebra is blue", ""), ("my brother sees a zyx", "")], *words
    )
    src = make_batch(ids).src
    for row in greedy_decode(model, src, 40).tolist():
        assert "<unk>" in [words[1].words[i] for i in row]
