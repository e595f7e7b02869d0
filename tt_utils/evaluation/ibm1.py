"""IBM model 1: which words translate each other, learnt by counting alone."""

from collections.abc import Iterable, Sequence

import numpy as np

WordPair = tuple[Sequence[str], Sequence[str]]
Ids = dict[str | None, int]  # None is NULL


class IBMModel1:
    """Learn P(target word | source word) from sentence pairs without alignments.

    Each target word is taken to come from one source word, or from NULL, an empty
    word that stands at the start of every source sentence. Where words stand plays no
    part.

    Source: Brown et al. 1993, model 1.
    """

    def __init__(self) -> None:
        self.source_ids: Ids = {None: 0}
        self.target_ids: Ids = {}
        # One probability for each two words that ever share a sentence pair; `cells`
        # holds their keys in ascending order.
        self.cells = np.empty(0, dtype=np.int64)
        self.table = np.empty(0)
        self.log_likelihoods: list[float] = []

    def fit(self, pairs: Iterable[WordPair], iterations: int = 5) -> "IBMModel1":
        """Learn from scratch by EM; all words start equally likely.

        `log_likelihoods` then holds the mean log probability of a target word, in
        nats, after each iteration; it never falls.

        Raises:
            ValueError: there is no target word, a side is a string in place of a list
                of words, or there are no iterations.
        """
        pairs = list(pairs)
        for k, pair in enumerate(pairs):
            if any(isinstance(side, str) for side in pair):
                raise ValueError(
                    f"IBMModel1.fit: pair {k} holds a string; give two lists of words."
                )
        if not any(len(target) for _, target in pairs):
            raise ValueError(
                f"IBMModel1.fit: {len(pairs)} pairs hold no target word; give pairs "
                "of source words and target words."
            )
        if iterations < 1:
            raise ValueError(
                f"IBMModel1.fit: iterations is {iterations}; it must be at least 1."
            )

        source: Ids = {None: 0}
        target: Ids = {}
        token, choices, key = links(pairs, source, target)
        cells, cell = np.unique(key, return_inverse=True)
        row = cells // len(target)
        table = np.full(len(cells), 1 / len(target))
        total = np.bincount(token, table[cell])
        log_likelihoods = []
        for _ in range(iterations):
            share = table[cell] / total[token]  # a token's shares sum to 1
            count = np.bincount(cell, share)
            table = count / np.bincount(row, count)[row]  # rows sum to 1
            total = np.bincount(token, table[cell])
            log_likelihoods.append(float(np.log(total / choices).mean()))
        self.source_ids, self.target_ids = source, target
        self.cells, self.table = cells, table
        self.log_likelihoods = log_likelihoods
        return self

    def probability(self, source_word: str | None, target_word: str) -> float:
        """Say how likely the source word, or None for NULL, becomes the target word.

        It is 0 for words that never shared a sentence pair, unknown ones included.

        Raises:
            ValueError: nothing has been learnt yet.
        """
        if not len(self.table):
            raise ValueError("IBMModel1: nothing has been learnt yet; call fit first.")
        i, j = self.source_ids.get(source_word), self.target_ids.get(target_word)
        if i is None or j is None:
            return 0.0
        key = i * len(self.target_ids) + j
        k = np.searchsorted(self.cells, key)
        found = k < len(self.cells) and self.cells[k] == key
        return float(self.table[k]) if found else 0.0

    def align(
        self, source: Sequence[str], target: Sequence[str]
    ) -> set[tuple[int, int]]:
        """Link each target word to its likeliest source word: (source, target).

        A word that most likely comes from NULL, or that is unknown, has no link. On a
        tie NULL goes first, then the earlier word.

        Raises:
            ValueError: nothing has been learnt yet.
        """
        found = set()
        for j, word in enumerate(target):
            chances = [self.probability(s, word) for s in (None, *source)]
            best = chances.index(max(chances))
            if best > 0:
                found.add((best - 1, j))
        return found


def links(
    pairs: Sequence[WordPair], source: Ids, target: Ids
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List every link that a sentence pair could hold, and number new words.

    A token is one target word in one sentence. Gives the token of each link, the
    number of each token's choices, NULL among them, and the key of each link's two
    words: source id × number of target words + target id.
    """
    words: list[int] = []
    tokens: list[int] = []
    starts: list[int] = []
    choices: list[int] = []
    for source_words, target_words in pairs:
        starts += [len(words)] * len(target_words)
        choices += [len(source_words) + 1] * len(target_words)
        words.append(source[None])
        words += [source.setdefault(word, len(source)) for word in source_words]
        tokens += [target.setdefault(word, len(target)) for word in target_words]
    number = np.array(choices)
    token = np.repeat(np.arange(len(tokens)), number)
    first_link = np.cumsum(number) - number
    position = np.arange(len(token)) + np.repeat(np.array(starts) - first_link, number)
    key = np.array(words)[position] * len(target) + np.array(tokens)[token]
    return token, number, key
