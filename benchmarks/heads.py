"""Do the heads of other trainings share the work in the same way? Three seeds.

The laptop's recipe; in each trained model: the alignment error of every head of
cross-attention, what is left when a head is cut, and what flattening the best aligned
one does.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import torch
from record import save
from torch import Tensor

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.data.batching import Batch, make_batch
from tt_utils.data.corpora import encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.tokenizer import join_words
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation import alignment_error_rate, hard_alignment
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes import prepare

FLATTENED = 100  # translations


@dataclass
class Sentences:
    """Unseen sentences: to choose a head, to score it; and some to take means over."""

    choose: list[SentencePair]
    score: list[SentencePair]
    seen: list[SentencePair]


def main() -> None:
    """Train from each start, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=0, help="0: the recipe's own")
    given = parser.parse_args()
    torch.set_num_threads(1)  # the model is tiny
    unseen = sentence_pairs(1000, seed=1, split="test")
    sentences = Sentences(
        unseen[500:], unseen[:500], sentence_pairs(300, seed=5, split="train")
    )
    rows = []
    for seed in given.seeds:
        rows.append({"seed": seed} | measured(trained(seed, given.steps), sentences))
        print(rows[-1], flush=True)
    save("heads", {"rows": rows}, best_device())


def trained(seed: int, steps: int) -> Translator:
    """The quick recipe of the grammar from this random start."""
    ready = prepare("grammar", "quick", seed=seed)
    config = ready.training
    if steps:
        config = replace(config, steps=steps)
    seed_everything(seed)
    model = Transformer(ready.model)
    train(model, ready.data, config)
    return Translator(model.eval(), ready.source, ready.target, ready.about)


class Heads:
    """One trained model's heads, which can be cut, flattened and put back."""

    def __init__(self, translator: Translator, seen: list[SentencePair]) -> None:
        self.translator, self.model = translator, translator.model
        self.attentions: dict[str, MultiHeadAttention] = {}
        for n, layer in enumerate(self.model.encoder.layers, 1):
            self.attentions[f"encoder {n}"] = layer.self_attention
        for n, layer in enumerate(self.model.decoder.layers, 1):
            self.attentions[f"decoder self {n}"] = layer.self_attention
            self.attentions[f"cross {n}"] = layer.cross_attention
        self.n = self.model.config.n_heads
        self.width = self.model.config.d_model // self.n
        self.means = self.mean_outputs(seen)

    def places(self) -> list[tuple[str, int]]:
        return [(name, h) for name in self.attentions for h in range(self.n)]

    def columns(self, head: int) -> slice:
        return slice(self.width * head, self.width * (head + 1))

    def read(self, pairs: list[SentencePair]) -> Batch:
        words = [(pair.source, pair.target) for pair in pairs]
        ids = encode_pairs(words, self.translator.source, self.translator.target)
        return make_batch(ids, 0)

    @torch.no_grad()
    def mean_outputs(self, pairs: list[SentencePair]) -> dict[str, Tensor]:
        """What each attention's heads say on average, side by side."""
        batch, seen = self.read(pairs), {}
        hooks = [
            attention.w_o.register_forward_pre_hook(
                lambda _, args, name=name: seen.update({name: args[0]})
            )
            for name, attention in self.attentions.items()
        ]
        self.model(batch.src, batch.tgt)
        for hook in hooks:
            hook.remove()
        real = {True: batch.src != 0, False: batch.tgt != 0}
        return {
            n: x[real[n.startswith("encoder")]].mean(dim=0) for n, x in seen.items()
        }

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Whatever is done inside, the model gets its weights back."""
        kept = deepcopy(self.model.state_dict())
        yield
        self.model.load_state_dict(kept)

    @torch.no_grad()
    def cut(self, name: str, head: int) -> None:
        """Let a head say what it says on average, whatever it reads."""
        w_o, columns = self.attentions[name].w_o, self.columns(head)
        w_o.bias += w_o.weight[:, columns] @ self.means[name][columns]
        w_o.weight[:, columns] = 0

    @torch.no_grad()
    def flatten(self, name: str, head: int) -> None:
        """Let a head look at all words alike."""
        w_q, rows = self.attentions[name].w_q, self.columns(head)
        w_q.weight[rows] = 0
        w_q.bias[rows] = 0

    def outputs(self, pairs: list[SentencePair]) -> list[str]:
        texts = [join_words(pair.source) for pair in pairs]
        return self.translator.translate(texts, beam_size=1)

    def exact(self, pairs: list[SentencePair]) -> float:
        """The percentage of exact matches."""
        wanted = [join_words(pair.target) for pair in pairs]
        found = self.outputs(pairs)
        return 100 * float(
            np.mean([a == b for a, b in zip(found, wanted, strict=True)])
        )

    @torch.no_grad()
    def errors(self, pairs: list[SentencePair]) -> np.ndarray:
        """The alignment error of each head that looks across: (layers, heads)."""
        batch = self.read(pairs)
        weights = self.model.attention_weights(batch.src, batch.tgt).cross
        gold, sure = [p.alignment for p in pairs], [p.sure for p in pairs]
        return np.array(
            [
                [
                    alignment_error_rate(links(layer[:, h], pairs), gold, sure)
                    for h in range(self.n)
                ]
                for layer in weights
            ]
        )


def links(weights: Tensor, pairs: list[SentencePair]) -> list[set[tuple[int, int]]]:
    return [
        hard_alignment(w[: len(pair.target), : len(pair.source)].numpy())
        for w, pair in zip(weights, pairs, strict=True)
    ]


def measured(translator: Translator, sentences: Sentences) -> dict[str, object]:
    """What chapter 18 measures of one model, of this one."""
    heads = Heads(translator, sentences.seen)
    exact = heads.exact(sentences.choose + sentences.score)
    few = sentences.choose[:200]
    left = {}
    for place in heads.places():
        with heads.restored():
            heads.cut(*place)
            left[place] = heads.exact(few)
    whole = heads.exact(few)
    chosen = heads.errors(sentences.choose)
    scored = heads.errors(sentences.score)
    best = tuple(int(i) for i in np.unravel_index(chosen.argmin(), chosen.shape))
    across = {(n, h): left[f"cross {n + 1}", h] for n, h in np.ndindex(*chosen.shape)}
    needed = min(across, key=across.__getitem__)
    order = sorted(left, key=lambda place: -left[place])
    with heads.restored():
        for place in order[:12]:
            heads.cut(*place)
        twelve = heads.exact(sentences.score[:200])
    texts = sentences.score[:FLATTENED]
    before = heads.outputs(texts)

    def changed_by(*places: tuple[int, int]) -> int:
        with heads.restored():
            for n, h in places:
                heads.flatten(f"cross {n + 1}", h)
            return sum(
                a != b for a, b in zip(heads.outputs(texts), before, strict=True)
            )

    aligned = [place for place in np.ndindex(*scored.shape) if scored[place] < 0.06]
    return {
        "exact": exact,
        "errors": scored.round(4).tolist(),
        "best_head": best,
        "best_error": float(scored[best]),
        "left": {f"{name}, head {h + 1}": value for (name, h), value in left.items()},
        "whole": whole,
        "most_needed_across": needed,
        "its_error": float(scored[needed]),
        "its_left": across[needed],
        "best_left": across[best],
        "twelve_cheapest_alone": left[order[11]],
        "twelve_cheapest_together": twelve,
        "aligned_heads": len(aligned),
        "flattened_best": changed_by(best),
        "flattened_each_aligned": [changed_by(place) for place in aligned],
        "flattened_pairs": [changed_by(*pair) for pair in combinations(aligned, 2)],
        "flattened_all_aligned": changed_by(*aligned),
    }


if __name__ == "__main__":
    main()
