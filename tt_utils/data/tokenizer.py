"""From sentences to ids and back, by whole words or by pieces of words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tt_utils.atomic_write import disk_reason, write_atomically

if TYPE_CHECKING:
    import tokenizers

SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
PAD, BOS, EOS, UNK = range(4)

BYTES = 256


@runtime_checkable
class Tokenizer(Protocol):
    """What training, decoding and evaluation ask of a tokenizer, whatever a token is.

    Ids 0 to 3 are `SPECIAL`. `encode` adds none of them.
    """

    def __len__(self) -> int: ...

    def encode(self, text: str, /) -> list[int]: ...

    def encode_batch(self, texts: Iterable[str], /) -> list[list[int]]: ...

    def decode_text(self, ids: Iterable[int], /) -> str: ...

    def save(self, path: str | Path, /) -> None: ...

    def to_json(self) -> dict[str, Any]: ...


class WordTokenizer:
    """Give each word of a training text its own id; ids 0 to 3 are special."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = [*SPECIAL, *words]
        self.ids = {word: i for i, word in enumerate(self.words)}
        if len(self.ids) < len(self.words):
            twice = next(w for i, w in enumerate(self.words) if self.ids[w] != i)
            raise ValueError(f"WordTokenizer: the word {twice!r} has two ids.")

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]]) -> "WordTokenizer":
        """Collect the words in alphabetical order: ids never depend on chance."""
        return cls(sorted({word for sentence in sentences for word in sentence}))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> list[int]:
        """Turn words into ids; a word never seen before becomes <unk>.

        A string stands for its words, which white space separates.
        """
        if isinstance(words, str):
            words = words.split()
        return [self.ids.get(word, UNK) for word in words]

    def encode_batch(self, sentences: Iterable[Sequence[str]]) -> list[list[int]]:
        """Encode every sentence."""
        return [self.encode(sentence) for sentence in sentences]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Turn ids back into words, up to the end sign, without special signs."""
        return [self.words[i] for i in content(ids, len(self))]

    def decode_text(self, ids: Iterable[int]) -> str:
        """Turn ids back into words with a space between."""
        return " ".join(self.decode(ids))

    def save(self, path: str | Path) -> None:
        """Write the words as JSON; the file appears whole or not at all."""
        write(Path(path), json.dumps(self.to_json(), ensure_ascii=False))

    def to_json(self) -> dict[str, Any]:
        """Give all that `from_json` needs."""
        return {"words": self.words}

    @classmethod
    def load(cls, path: str | Path) -> "WordTokenizer":
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it holds no word tokenizer.
        """
        return cls.from_json(read(Path(path)), path)

    @classmethod
    def from_json(
        cls, data: dict[str, Any], origin: str | Path = "this"
    ) -> "WordTokenizer":
        """Build it from what `to_json` gave; `origin` names it in an error.

        Raises:
            ValueError: it is no word tokenizer.
        """
        words = data.get("words")
        known = isinstance(words, list) and all(isinstance(w, str) for w in words)
        if not known or tuple(words[: len(SPECIAL)]) != SPECIAL:
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
        # A reader who types "</s>" means four letters, not the end of the sentence.
        inner.encode_special_tokens = True

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

    def encode(self, text: str) -> list[int]:
        """Turn any text into ids; <unk> is never among them.

        Raises:
            ValueError: the text holds half a character, which no file can hold.
        """
        check_text(text, "BPETokenizer.encode")
        return self.inner.encode(text).ids

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode many texts at once, faster than one by one."""
        texts = list(texts)
        for text in texts:
            check_text(text, "BPETokenizer.encode_batch")
        return [encoding.ids for encoding in self.inner.encode_batch_fast(texts)]

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids back into text, up to the end sign, without special signs."""
        kept = list(content(ids, len(self)))
        return self.inner.decode(kept, skip_special_tokens=False)

    decode_text = decode

    def save(self, path: str | Path) -> None:
        """Write a `tokenizer.json` as Hugging Face's tools do, whole or not at all."""
        write(Path(path), self.inner.to_str(pretty=True))

    def to_json(self) -> dict[str, Any]:
        """Give all that `from_json` needs."""
        return json.loads(self.inner.to_str())

    @classmethod
    def load(cls, path: str | Path) -> "BPETokenizer":
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it holds no tokenizer, or one with other rules.
        """
        return cls.from_json(read(Path(path)), path)

    @classmethod
    def from_json(
        cls, data: dict[str, Any], origin: str | Path = "this"
    ) -> "BPETokenizer":
        """Build it from what `to_json` gave; `origin` names it in an error.

        Raises:
            ValueError: it is no tokenizer, or one with other rules.
        """
        from tokenizers import Tokenizer

        try:
            tokenizer = cls(Tokenizer.from_str(json.dumps(data)))
        except Exception as error:  # the library raises no narrower kind
            raise ValueError(not_a("BPE tokenizer", origin, str(error))) from error
        ids = sorted(tokenizer.inner.get_vocab().values())
        special = [tokenizer.inner.id_to_token(i) for i in range(len(SPECIAL))]
        if special != list(SPECIAL) or ids != list(range(len(ids))):
            reason = f"ids 0 to 3 must be {' '.join(SPECIAL)}, and no id may be missing"
            raise ValueError(not_a("BPE tokenizer", origin, reason))
        probe = "".join(map(chr, range(BYTES))) + " Zwei Bären, 2 🐻 </s> "
        if tokenizer.decode(tokenizer.encode(probe)) != probe:
            reason = "what it encodes, it does not decode to the same text"
            raise ValueError(not_a("BPE tokenizer", origin, reason))
        return tokenizer


def load_tokenizer(path: str | Path) -> Tokenizer:
    """Read a saved tokenizer of either kind.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no tokenizer.
    """
    return tokenizer_from_json(read(Path(path)), path)


def tokenizer_from_json(data: dict[str, Any], origin: str | Path = "this") -> Tokenizer:
    """Build a tokenizer of either kind; `origin` names it in an error.

    Raises:
        ValueError: it is no tokenizer.
    """
    kind = WordTokenizer if "words" in data else BPETokenizer
    return kind.from_json(data, origin)


def content(ids: Iterable[int], vocab_size: int) -> Iterator[int]:
    """Yield the ids up to the end sign that stand for text.

    Raises:
        ValueError: an id is outside the vocabulary.
    """
    for i in map(int, ids):
        if not 0 <= i < vocab_size:
            raise ValueError(
                f"decode: id {i} is outside the vocabulary of {vocab_size}; the model "
                "and the tokenizer do not belong together."
            )
        if i == EOS:
            return
        if i not in (PAD, BOS):
            yield i


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
    """Say that a file is something else, and how to get the right one."""
    return f"{path} is no {kind}: {reason}; save it again from training."


def read(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{path}: there is no such tokenizer file; check the path."
        ) from None
    except ValueError as error:
        raise ValueError(not_a("tokenizer", path, f"not JSON ({error})")) from error
    if not isinstance(data, dict):
        raise ValueError(not_a("tokenizer", path, "no JSON object"))
    return data


def write(path: Path, text: str) -> None:
    """Put a finished file in the place of the old one, in one step.

    Raises:
        OSError: the disk refused; what was there before is still there.
    """
    try:
        write_atomically(path, f"{text}\n".encode(), make_folder=False)
    except OSError as error:
        raise OSError(
            f"{path}: not saved ({disk_reason(error)}); check that the folder exists, "
            "has room and may be written to."
        ) from error
