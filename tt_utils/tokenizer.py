"""From words to ids and back."""

from collections.abc import Iterable, Sequence

SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
PAD, BOS, EOS, UNK = range(4)


class WordTokenizer:
    """Give each word of a training text its own id; ids 0 to 3 are special."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(dict.fromkeys([*SPECIAL, *words]))
        self.ids = {word: i for i, word in enumerate(self.words)}

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]]) -> "WordTokenizer":
        """Collect the words in alphabetical order: ids never depend on chance."""
        return cls(sorted({word for sentence in sentences for word in sentence}))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> list[int]:
        """Turn words into ids; a word never seen before becomes <unk>."""
        return [self.ids.get(word, UNK) for word in words]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Turn ids back into words, up to the end sign, without special signs."""
        words = []
        for i in ids:
            if i == EOS:
                break
            if i not in (PAD, BOS):
                words.append(self.words[i])
        return words
