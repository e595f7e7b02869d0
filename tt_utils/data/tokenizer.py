"""From text to ids and back, by whole words or by pieces of words."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import regex

if TYPE_CHECKING:
    import tokenizers

# The book's own vocabularies begin with these; another one may keep them elsewhere.
SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
PAD, BOS, EOS, UNK = range(4)

BYTES = 256

# As in the page (figures/static/model-file.mjs). `regex` knows Unicode's categories:
# L, M and N are letters, accents and digits, C is what nobody sees.
WHITE = r"\t-\r\p{Zs}\u2028\u2029\ufeff"
SPACES = regex.compile(f"[{WHITE}]+")
UNSEEN = regex.compile(r"[^\P{C}\t-\r\ufeff]")
WORDS = regex.compile(rf"[\p{{L}}\p{{M}}\p{{N}}_]+|[^\p{{L}}\p{{M}}\p{{N}}_{WHITE}]")


@runtime_checkable
class Tokenizer(Protocol):
    """What training, decoding and evaluation ask of a tokenizer, whatever a token is.

    `encode` adds no special token, and takes none from the text. `unknown` lists the
    words of a text for which there is no id.
    """

    pad_id: int
    bos_id: int
    eos_id: int
    unk_id: int

    def __len__(self) -> int: ...

    def encode(self, text: str, /) -> list[int]: ...

    def encode_batch(self, texts: Iterable[str], /) -> list[list[int]]: ...

    def decode(self, ids: Iterable[int], /) -> str: ...

    def unknown(self, text: str, /) -> list[str]: ...

    def to_json(self) -> dict[str, Any]: ...


class WordTokenizer:
    """Give each word of a training text its own id; ids 0 to 3 are special."""

    pad_id, bos_id, eos_id, unk_id = PAD, BOS, EOS, UNK

    def __init__(self, words: Iterable[str]) -> None:
        self.words = [*SPECIAL, *words]
        self.ids = {word: i for i, word in enumerate(self.words)}
        if len(self.ids) < len(self.words):
            twice = next(w for i, w in enumerate(self.words) if self.ids[w] != i)
            raise ValueError(f"WordTokenizer: the word {twice!r} has two ids.")
        # A reader who types "</s>" means four signs, not the end of the sentence.
        self.typed = {word: i for word, i in self.ids.items() if word not in SPECIAL}

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]]) -> "WordTokenizer":
        """Collect the words in alphabetical order: ids never depend on chance."""
        return cls(sorted({word for sentence in sentences for word in sentence}))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, text: str | Sequence[str]) -> list[int]:
        """Turn a text into the ids of its words; one never seen becomes <unk>.

        A list of words is taken as it is, special tokens included.
        """
        if not isinstance(text, str):
            return [self.ids.get(word, UNK) for word in text]
        words = text.split(" ")
        if not all(word in self.typed for word in words):
            words = self.split_words(text)
        return [self.typed.get(word, UNK) for word in words]

    def encode_batch(self, texts: Iterable[str | Sequence[str]]) -> list[list[int]]:
        """Encode every text."""
        return [self.encode(text) for text in texts]

    def split_words(self, text: str) -> list[str]:
        """Split a text into words, in the case that the vocabulary knows them in.

        Marks are words, too. One that ends a statement is left out where no training
        sentence had it.
        """
        found: list[str] = []
        for chunk in SPACES.split(readable(text)):
            found += [chunk] if chunk in self.typed else WORDS.findall(chunk)
        if found[-1:] in (["."], ["!"]) and found[-1] not in self.typed:
            found.pop()
        return [next(filter(self.typed.get, forms(word)), word) for word in found]

    def unknown(self, text: str) -> list[str]:
        """List the words of a text that training never showed."""
        return [word for word in self.split_words(text) if word not in self.typed]

    def decode(self, ids: Iterable[int]) -> str:
        """Write text as people do, up to the end sign, without special tokens."""
        return join_words(self.words_of(ids))

    def words_of(self, ids: Iterable[int]) -> list[str]:
        """List the words that `decode` joins."""
        return [self.words[i] for i in content(ids, self)]

    def to_json(self) -> dict[str, Any]:
        """Give all that `from_json` needs."""
        return {"words": self.words}

    @classmethod
    def from_json(
        cls, data: dict[str, Any], origin: str | Path = "this"
    ) -> "WordTokenizer":
        """Build it from what `to_json` gave; `origin` names it in an error.

        Raises:
            ValueError: it is no word tokenizer.
        """
        words = data.get("words")
        if (
            not isinstance(words, list)
            or not all(isinstance(word, str) for word in words)
            or tuple(words[: len(SPECIAL)]) != SPECIAL
        ):
            raise ValueError(not_a("word tokenizer", origin, "it has no list of words"))
        return cls(words[len(SPECIAL) :])


class BPETokenizer:
    """Split text into pieces that are frequent in a training text; forget nothing.

    Pieces are made of bytes, so that every text can be written, emoji and no-break
    spaces included, and comes back letter for letter. Pieces of characters would need
    fewer base ids but turn a sign never seen before into <unk>. A space belongs to the
    word after it; one is put before the text and taken away again, so that a word has
    the same ids at the start of a sentence as inside it.

    Source: Sennrich et al. 2016, algorithm 1; over bytes: Radford et al. 2019,
    section 2.2.
    """

    def __init__(self, inner: "tokenizers.Tokenizer") -> None:
        self.inner = inner
        inner.encode_special_tokens = True  # typed ones are text
        ids: Iterator[Any] = map(inner.token_to_id, SPECIAL)  # from_json refuses None
        self.pad_id, self.bos_id, self.eos_id, self.unk_id = ids

    @classmethod
    def train(cls, texts: Iterable[str], vocab_size: int) -> "BPETokenizer":
        """Learn pieces from all texts together; both languages share them.

        The same texts give the same ids, in whatever order they come. Small texts
        may yield fewer pieces than `vocab_size`: two places must share a piece.

        Raises:
            ValueError: there is no text, or no room for the 256 bytes.
        """
        from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
        from tokenizers.trainers import BpeTrainer

        smallest = len(SPECIAL) + BYTES
        if vocab_size < smallest:
            raise ValueError(
                f"BPETokenizer.train: vocab_size is {vocab_size}; it must be at least "
                f"{smallest}, {len(SPECIAL)} special signs and {BYTES} bytes."
            )
        texts = [texts] if isinstance(texts, str) else list(texts)
        for text in texts:
            check_text(text, "BPETokenizer.train")
        if not any(texts):
            raise ValueError("BPETokenizer.train: there is no text to learn from.")

        inner = Tokenizer(models.BPE())
        inner.normalizer = normalizers.Prepend(" ")
        inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        inner.decoder = decoders.Sequence(
            [decoders.ByteLevel(), decoders.Strip(" ", left=1, right=0)]
        )
        trainer = BpeTrainer(
            vocab_size=vocab_size,
            min_frequency=2,
            special_tokens=list(SPECIAL),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        inner.train_from_iterator(texts, trainer)
        return cls(inner)

    def __len__(self) -> int:
        return self.inner.get_vocab_size()

    def encode(self, text: str, special: bool = False) -> list[int]:
        """Turn any text into ids; <unk> is never among them.

        `special` lets "</s>" in the text be the special token: for a template that a
        program wrote, not for what a reader typed.

        Raises:
            ValueError: the text holds half a character, which no file can hold.
        """
        check_text(text, "BPETokenizer.encode")
        inner = self.reading_special if special else self.inner
        return inner.encode(text).ids

    @cached_property
    def reading_special(self) -> "tokenizers.Tokenizer":
        """Copy the tokenizer, with special tokens found in the text."""
        copy = type(self.inner).from_str(self.inner.to_str())
        copy.encode_special_tokens = False
        return copy

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode many texts at once, faster than one by one."""
        texts = list(texts)
        for text in texts:
            check_text(text, "BPETokenizer.encode_batch")
        return [encoding.ids for encoding in self.inner.encode_batch_fast(texts)]

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids back into text, up to the end sign, without special tokens."""
        kept = list(content(ids, self))
        return self.inner.decode(kept, skip_special_tokens=False)

    def unknown(self, text: str) -> list[str]:
        """List nothing: every word can be put together from pieces."""
        return []

    def to_json(self) -> dict[str, Any]:
        """Give all that `from_json` needs."""
        return json.loads(self.inner.to_str())

    @classmethod
    def from_json(
        cls, data: dict[str, Any], origin: str | Path = "this"
    ) -> "BPETokenizer":
        """Build it from what `to_json` gave; `origin` names it in an error.

        The four special tokens may have any ids, as in vocabularies made elsewhere.

        Raises:
            ValueError: it is no tokenizer, or one with other rules.
        """
        from tokenizers import Tokenizer

        try:
            tokenizer = cls(Tokenizer.from_str(json.dumps(data)))
        except Exception as error:  # the library raises no narrower kind
            raise ValueError(not_a("BPE tokenizer", origin, str(error))) from error
        ids = tokenizer.inner.get_vocab()
        if not ids.keys() >= set(SPECIAL) or sorted(ids.values()) != [*range(len(ids))]:
            reason = f"it must hold {' '.join(SPECIAL)}, and no id may be missing"
            raise ValueError(not_a("BPE tokenizer", origin, reason))
        probe = "".join(map(chr, range(BYTES))) + " Zwei Bären, 2 🐻 </s> "
        if tokenizer.decode(tokenizer.encode(probe)) != probe:
            reason = "what it encodes, it does not decode to the same text"
            raise ValueError(not_a("BPE tokenizer", origin, reason))
        return tokenizer


def tokenizer_from_json(data: dict[str, Any], origin: str | Path = "this") -> Tokenizer:
    """Build a tokenizer of either kind; `origin` names it in an error.

    Raises:
        ValueError: it is no tokenizer.
    """
    kind = WordTokenizer if "words" in data else BPETokenizer
    return kind.from_json(data, origin)


def content(ids: Iterable[int], tokenizer: Tokenizer) -> Iterator[int]:
    """Yield the ids up to the end sign that stand for text.

    Raises:
        ValueError: an id is outside the vocabulary.
    """
    for i in map(int, ids):
        if not 0 <= i < len(tokenizer):
            raise ValueError(
                f"decode: id {i} is outside the vocabulary of {len(tokenizer)}; the "
                "model and the tokenizer do not belong together."
            )
        if i == tokenizer.eos_id:
            return
        if i not in (tokenizer.pad_id, tokenizer.bos_id):
            yield i


def readable(text: str) -> str:
    """Compose accents (Unicode's NFC) and drop what nobody sees.

    A Mac may write ñ as n and a tilde, and web pages hold spaces of no width.
    """
    return UNSEEN.sub("", unicodedata.normalize("NFC", text))


def forms(word: str) -> tuple[str, str, str]:
    """Give the cases in which a vocabulary may know a word."""
    lower = word.lower()
    return word, lower, lower[:1].upper() + lower[1:]


def join_words(words: Iterable[str]) -> str:
    """Write words as people do: a mark stands close to its word, ¿so?"""
    return regex.sub(r"(?<=[¿¡]) | (?=[?!.,;:](?: |$))", "", " ".join(words))


def check_text(text: object, caller: str) -> None:
    """Refuse what is no text before the library does so in other words."""
    if not isinstance(text, str):
        raise TypeError(f"{caller}: expected a string, got {type(text).__name__}.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{caller}: half a character ({text[error.start]!r}) at position "
            f"{error.start}; read the text as UTF-8."
        ) from error


def not_a(kind: str, path: str | Path, reason: str) -> str:
    """Say that data are something else, and how to get the right ones."""
    return f"{path} is no {kind}: {reason}; save it again from training."
