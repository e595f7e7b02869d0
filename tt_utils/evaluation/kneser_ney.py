"""Counting instead of learning: an n-gram model, to set beside a decoder-only one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from jaxtyping import Float

Gram = tuple[int, ...]


class KneserNey:
    """Score a token by how often it followed the last ones, or a shorter end of them.

    Interpolated Kneser–Ney: each count gives up a discount, which the next shorter
    context shares out. A shorter context counts not how often a token came, but behind
    how many different ones. At the bottom all `vocab_size` tokens are equally likely.
    `order` is the number of tokens that a count is of, the scored one among them. The
    first token of each text begins it, such as <s>, and is never scored.

    Source: Kneser and Ney 1995, in the interpolated form of Chen and Goodman 1999, with
    one discount per order, n₁/(n₁ + 2n₂).

    Raises:
        ValueError: no text has a token to score, or order or vocab_size is below 1.
    """

    def __init__(
        self, texts: Iterable[Sequence[int]], vocab_size: int, order: int = 4
    ) -> None:
        self.vocab_size, self.order = vocab_size, order
        counts = Counter(gram for text in texts for gram in self.grams(text))
        if not counts or vocab_size < 1 or order < 1:
            raise ValueError(
                f"KneserNey: {len(counts)} runs of tokens, order={order}, vocab_size="
                f"{vocab_size}; give texts of two tokens or more, and at least 1 of "
                "each."
            )
        self.counts = self.adjusted(counts)
        self.discounts = [self.discount(n) for n in range(1, order + 1)]
        self.totals: Counter[Gram] = Counter()
        self.kinds: Counter[Gram] = Counter()  # of tokens that were seen behind it
        for gram, count in self.counts.items():
            self.totals[gram[:-1]] += count
            self.kinds[gram[:-1]] += 1

    def grams(self, text: Sequence[int]) -> Iterator[Gram]:
        """List the runs of up to `order` tokens that end with a scored one."""
        for end in range(2, len(text) + 1):
            for start in range(max(0, end - self.order), end):
                yield tuple(text[start:end])

    def adjusted(self, counts: Counter[Gram]) -> Counter[Gram]:
        """Replace the counts of runs that may be longer by those of their beginnings.

        What stands at the beginning of a text has nothing before it, and keeps its own.
        """
        behind: Counter[Gram] = Counter(gram[1:] for gram in counts if len(gram) > 1)
        return Counter(
            {
                gram: behind[gram] if len(gram) < self.order and behind[gram] else count
                for gram, count in counts.items()
            }
        )

    def discount(self, n: int) -> float:
        """Estimate from runs seen once and twice how much a count says too much."""
        seen = Counter(count for gram, count in self.counts.items() if len(gram) == n)
        return seen[1] / (seen[1] + 2 * seen[2]) if seen[1] else 0.5

    def log_probabilities(self, text: Sequence[int]) -> Float[np.ndarray, " t"]:
        """Score every token of a text but the first, in nats."""
        return np.log(
            [self.probability(text[:end], text[end]) for end in range(1, len(text))]
        )

    def probability(self, before: Sequence[int], token: int) -> float:
        """How likely is this token behind those before it?"""
        found = 1 / self.vocab_size
        for n in range(1, min(self.order, len(before) + 1) + 1):
            context = tuple(before[len(before) - n + 1 :])
            if not (total := self.totals[context]):
                break
            taken = self.discounts[n - 1]
            own = max(self.counts[*context, token] - taken, 0)
            found = (own + taken * self.kinds[context] * found) / total
        return found
