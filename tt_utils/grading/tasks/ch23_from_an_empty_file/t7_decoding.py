"""23.7 Stage 7: greedy and beam search with any model that encodes and decodes."""

import numpy as np

from tt_utils.grading.tasks.ch23_from_an_empty_file import given
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def greedy(model, src, bos, eos, longest):
    memory, src_mask = model.encode(src)
    tgt = torch.full((len(src), 1), bos)
    while tgt.shape[1] <= longest and not (tgt == eos).any(dim=1).all():
        logits = model.decode(tgt, memory, src_mask)[:, -1]
        tgt = torch.cat([tgt, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return tgt[:, 1:]

def beam_search(model, src, bos, eos, width, alpha, longest):
    def score(beam):
        tokens, log_p = beam
        return log_p / ((5 + len(tokens) - 1) / 6) ** alpha

    memory, src_mask = model.encode(src)
    beams = [([bos], 0.0)]
    for _ in range(longest):
        candidates = [beam for beam in beams if beam[0][-1] == eos]
        going = [beam for beam in beams if beam[0][-1] != eos]
        if not going:
            break
        tgt = torch.tensor([tokens for tokens, _ in going])
        logits = model.decode(tgt, memory, src_mask)[:, -1]
        best, words = logits.log_softmax(dim=-1).topk(min(width, logits.shape[-1]))
        for i, (tokens, log_p) in enumerate(going):
            for more, word in zip(best[i].tolist(), words[i].tolist()):
                candidates.append((tokens + [word], log_p + more))
        beams = sorted(candidates, key=score, reverse=True)[:width]
    return beams[0][0][1:], score(beams[0])
"""

ONE_BY_ONE = """
def greedy(model, src, bos, eos, longest):
    rows = []
    for sentence in src:
        memory, src_mask = model.encode(sentence[None])
        tokens = [bos]
        for _ in range(longest):
            logits = model.decode(torch.tensor([tokens]), memory, src_mask)
            word = int(logits[0, -1].argmax())
            tokens.append(word)
            if word == eos:
                break
        rows.append(tokens[1:])
    return rows

def beam_search(model, src, bos, eos, width, alpha, longest):
    memory, src_mask = model.encode(src)
    beams = [(0.0, [])]
    for _ in range(longest):
        found = []
        for log_p, words in beams:
            if words and words[-1] == eos:
                found.append((log_p, words))
                continue
            tgt = torch.tensor([[bos] + words])
            row = model.decode(tgt, memory, src_mask)[0, -1].log_softmax(-1)
            for word, more in enumerate(row.tolist()):
                found.append((log_p + more, words + [word]))
        found.sort(key=lambda one: -one[0] / ((5 + len(one[1])) / 6) ** alpha)
        beams = found[:width]
    log_p, words = beams[0]
    return words, log_p / ((5 + len(words)) / 6) ** alpha
"""

TENSORS = """
def greedy(model, src, bos, eos, longest):
    memory, src_mask = model.encode(src)
    batch = src.shape[0]
    out = torch.zeros(batch, longest + 1, dtype=torch.long)
    out[:, 0] = bos
    ended = torch.zeros(batch, dtype=torch.bool)
    for n in range(longest):
        word = model.decode(out[:, : n + 1], memory, src_mask)[:, n].max(-1).indices
        out[:, n + 1] = word.masked_fill(ended, 0)
        ended |= word == eos
        if ended.all():
            break
    return out[:, 1:]

def beam_search(model, src, bos, eos, width, alpha, longest):
    import heapq

    def score(beam):
        return beam[1] * (6 / (5 + len(beam[0]))) ** alpha

    memory, src_mask = model.encode(src)
    beams = [((), 0.0)]
    for _ in range(longest):
        ended = [beam for beam in beams if eos in beam[0]]
        going = [beam for beam in beams if eos not in beam[0]]
        if not going:
            break
        tgt = torch.tensor([(bos, *words) for words, _ in going])
        log_p = F.log_softmax(model.decode(tgt, memory, src_mask), dim=-1)[:, -1]
        grown = [
            ((*words, word), total + more)
            for (words, total), row in zip(going, log_p.tolist())
            for word, more in enumerate(row)
        ]
        beams = heapq.nlargest(width, ended + grown, key=score)
    best = max(beams, key=score)
    return list(best[0]), score(best)
"""

MISTAKES = """
start handed over: return tgt[:, 1:] → return tgt
or: rows.append(tokens[1:]) → rows.append(tokens)
or: return out[:, 1:] → return out
    Your sentences begin with the begin mark. Which words has the model written?

logits of the first position: model.decode(tgt, memory, src_mask)[:, -1]\\n        tgt → model.decode(tgt, memory, src_mask)[:, 0]\\n        tgt
or: int(logits[0, -1].argmax()) → int(logits[0, 0].argmax())
or: [:, n].max(-1) → [:, 0].max(-1)
    Greedy writes one word again and again. Which position's logits say what comes next?

only the last word read: logits = model.decode(tgt, memory, src_mask)[:, -1]\\n        tgt → logits = model.decode(tgt[:, -1:], memory, src_mask)[:, -1]\\n        tgt
or: torch.tensor([tokens]) → torch.tensor([tokens[-1:]])
or: model.decode(out[:, : n + 1], memory, src_mask)[:, n] → model.decode(out[:, n : n + 1], memory, src_mask)[:, 0]
    Greedy shows the decoder only its newest word. What does the next word depend on?

least likely word: logits.argmax(dim=-1, keepdim=True) → logits.argmin(dim=-1, keepdim=True)
or: logits[0, -1].argmax() → logits[0, -1].argmin()
or: .max(-1).indices → .min(-1).indices
    Greedy writes the least likely word. Where are the logits largest?

stops with the first that ends: (tgt == eos).any(dim=1).all() → (tgt == eos).any()
or: if ended.all() → if ended.any()
    Greedy stops as soon as one sentence has ended. What becomes of the others?

one word too few: tgt.shape[1] <= longest and → tgt.shape[1] < longest and
or: for _ in range(longest):\\n            logits → for _ in range(longest - 1):\\n            logits
or: for n in range(longest) → for n in range(longest - 1)
    A sentence of greedy's that doesn't end is one word short. Does the begin mark count
    among the words?

one word too many: tgt.shape[1] <= longest and → tgt.shape[1] <= longest + 1 and
or: for _ in range(longest):\\n            logits → for _ in range(longest + 1):\\n            logits
    A sentence of greedy's that doesn't end is one word too long. How many may be written?

end left out: tokens.append(word)\\n            if word == eos:\\n                break → if word == eos:\\n                break\\n            tokens.append(word)
or: word.masked_fill(ended, 0)\\n        ended |= word == eos → word.masked_fill(ended | (word == eos), 0)\\n        ended |= word == eos
    Greedy's sentences lack their last word. Does the end mark belong to them?

beams of one: sorted(candidates, key=score, reverse=True)[:width] → sorted(candidates, key=score, reverse=True)[:1]
or: beams = found[:width] → beams = found[:1]
or: heapq.nlargest(width, → heapq.nlargest(1,
    Your beam search writes greedy's sentence at every width. How many beginnings stay
    after each step?

worst beams kept: key=score, reverse=True) → key=score)
or: lambda one: -one[0] → lambda one: one[0]
or: heapq.nlargest( → heapq.nsmallest(
    You keep the least likely beginnings. In which direction do you sort?

last word's score alone: log_p + more)) → more))
or: log_p + more, words → more, words
or: total + more → more
    Your beams forget what their earlier words cost. What is the log-probability of a
    whole beginning?

logits added up: logits.log_softmax(dim=-1).topk → logits.topk
or: [0, -1].log_softmax(-1) → [0, -1]
or: F.log_softmax(model.decode(tgt, memory, src_mask), dim=-1) → model.decode(tgt, memory, src_mask)
    Your beams add up logits, which can't be compared from one step to the next. What
    should they be turned into first?

probabilities added up: logits.log_softmax(dim=-1).topk → logits.softmax(dim=-1).topk
or: [0, -1].log_softmax(-1) → [0, -1].softmax(-1)
or: F.log_softmax(model → F.softmax(model
    Your beams add up probabilities. Probabilities of words that follow one another are
    multiplied: what does one add up instead?

no length penalty: return log_p / ((5 + len(tokens) - 1) / 6) ** alpha → return log_p
or: -one[0] / ((5 + len(one[1])) / 6) ** alpha → -one[0]
and: return words, log_p / ((5 + len(words)) / 6) ** alpha → return words, log_p
or: return beam[1] * (6 / (5 + len(beam[0]))) ** alpha → return beam[1]
    `alpha` changes nothing in yours. By what is the sum of log-probabilities divided?

begin mark counted: len(tokens) - 1 → len(tokens)
or: 5 + len(one[1]) → 6 + len(one[1])
and: 5 + len(words) → 6 + len(words)
or: (5 + len(beam[0])) → (6 + len(beam[0]))
    Your lengths are one too large. Does the begin mark count?

ranked by the sum: sorted(candidates, key=score, reverse=True) → sorted(candidates, key=lambda beam: beam[1], reverse=True)
or: lambda one: -one[0] / ((5 + len(one[1])) / 6) ** alpha → lambda one: -one[0]
or: ended + grown, key=score → ended + grown, key=lambda beam: beam[1]
    You choose beams by their sums, and the score comes in at the end alone. By what does
    the stage rank them in each step?

ended beams set aside: heapq.nlargest(width, ended + grown, key=score) → ended + heapq.nlargest(width, grown, key=score)
or: beams = sorted(candidates, key=score, reverse=True)[:width] → ended = [beam for beam in candidates if beam[0][-1] == eos and beam in beams]\\n        rest = [beam for beam in candidates if beam not in ended]\\n        beams = sorted(ended + sorted(rest, key=score, reverse=True)[:width], key=score, reverse=True)
    Your ended beams take no place away from the open ones. Among which beams does the
    stage choose the `width` best?

penalty upside down: log_p / ((5 + len(tokens) - 1) / 6) ** alpha → log_p * ((5 + len(tokens) - 1) / 6) ** alpha
or: -one[0] / ((5 + → -one[0] * ((5 +
and: log_p / ((5 + len(words)) → log_p * ((5 + len(words))
or: (6 / (5 + len(beam[0]))) → ((5 + len(beam[0])) / 6)
    Long sentences get worse scores in yours than their sums are. On which side of the
    fraction does the length stand?

sum returned: return beams[0][0][1:], score(beams[0]) → return beams[0][0][1:], beams[0][1]
or: return words, log_p / ((5 + len(words)) / 6) ** alpha → return words, log_p
or: return list(best[0]), score(best) → return list(best[0]), best[1]
    Your sentence is the right one. What is the sum of its log-probabilities still divided
    by?

ended beams dropped: candidates = [beam for beam in beams if beam[0][-1] == eos] → candidates = []
and: beams = sorted(candidates, key=score, reverse=True)[:width] → beams = sorted(candidates, key=score, reverse=True)[:width] or beams
or: found.append((log_p, words))\\n                continue → continue
and: beams = found[:width] → beams = found[:width] or beams
    A beam that has ended is lost in the next step. What if it was the best one?

ended beams go on: if words and words[-1] == eos → if False
or: if eos in beam[0]] → if False]
and: if eos not in beam[0]] → if True]
or: if beam[0][-1] == eos] → if False]
and: if beam[0][-1] != eos] → if True]
    Your beams write on behind their end. What happens to one that has written the end
    mark?

stops with the first end: beams = found[:width]\\n → beams = found[:width]\\n        if beams[0][1][-1] == eos:\\n            break\\n
or: reverse=True)[:width]\\n → reverse=True)[:width]\\n        if beams[0][0][-1] == eos:\\n            break\\n
or: key=score)\\n    best → key=score)\\n        if eos in beams[0][0]:\\n            break\\n    best
    You stop as soon as the best beam has ended. With a length penalty a longer one may
    still overtake it: when is the race over?

begin mark among the words: return beams[0][0][1:], → return beams[0][0],
    Your beam begins with the begin mark. Which words has the model written?
"""


def greedy(answers, src, after, before, about, *settings):
    """Each sentence up to its end; what stands behind it is nobody's matter."""
    eos = settings[1]
    found = answers[0](given.model(after, before, about), src, *settings)
    rows = [[int(word) for word in row] for row in found]
    return [row[: row.index(eos) + 1] if eos in row else row for row in rows]


def beam(answers, src, after, before, about, *settings):
    words, score = answers[1](given.model(after, before, about), src, *settings)
    return [int(word) for word in words], float(score)


def language(vocab, eos, rng, ends):
    """Three tables of logits. The padding is never written, nor the begin mark.

    Their digits are so many that no two successors tie.
    """
    after, before, about = (rng.normal(size=(vocab, vocab)) * 1.5 for _ in range(3))
    after[:, :2] = -30
    after[:, eos] += ends
    return after.round(4), before.round(4), about.round(4)


def drawn(vocab, lengths, longest, *search, ends=0.0, marks=(1, 2)):
    def inputs(rng):
        bos, eos = marks
        src = rng.integers(3, vocab, (len(lengths), max(lengths)))
        src *= np.arange(max(lengths)) < np.array(lengths)[:, None]
        return src, *language(vocab, eos, rng, ends), bos, eos, *search, longest

    return inputs


def overtaken(vocab, longest, width, alpha):
    """The end is the likeliest first word; what goes on has nearly no choice left."""

    def inputs(rng):
        bos, eos = 1, 2
        after, before, about = (0.2 * rng.normal(size=(vocab, vocab)) for _ in range(3))
        words = rng.permutation(np.arange(3, vocab))
        after[words, np.roll(words, 1)] += 6
        after[:, :2], after[:, eos], after[bos] = -30, -3, -8
        after[bos, eos], after[bos, words[0]] = 0.3, 0
        tables = (table.round(4) for table in (after, before / 9, about / 9))
        return rng.integers(3, vocab, (1, 4)), *tables, bos, eos, width, alpha, longest

    return inputs


def forked(vocab, longest, alpha, end):
    """Ended at once with the probability `end`, or one word; then two ways, of which
    the likelier leads to many words and the other to a sure road. Of three beginnings
    two beams keep two: by scores others than by sums.
    """

    def inputs(rng):
        bos, eos = 1, 2
        after, before, about = (
            0.02 * rng.normal(size=(vocab, vocab)) for _ in range(3)
        )
        word, likelier, other, *road = rng.permutation(np.arange(3, vocab))
        after[[other, *road], [*road, road[0]]] += 9
        after[word, likelier], after[word, other] = 9.15, 9
        after[:, : eos + 1], after[bos, word] = -30, 9
        after[bos, eos] = 9 + np.log(end / (1 - end))
        tables = (table.round(4) for table in (after, before, about))
        return rng.integers(3, vocab, (1, 4)), *tables, bos, eos, 2, alpha, longest

    return inputs


TABLES = ("after", "before", "about")
GREEDY = {
    "probe": greedy,
    "arguments": ("src", *TABLES, "bos", "eos", "longest"),
    "outputs": ("sentences",),
}
BEAM = {
    "probe": beam,
    "arguments": ("src", *TABLES, "bos", "eos", "width", "alpha", "longest"),
    "outputs": ("words", "score"),
}

TASK = FunctionTask(
    title="Stage 7: writing",
    kind="implement",
    answers=("greedy", "beam_search"),
    arguments=("src", *TABLES, "bos", "eos", "longest"),
    outputs=("words", "score"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, ONE_BY_ONE, TENSORS),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check("greedy, one sentence", drawn(9, (3,), 8), **GREEDY),
        Check(
            "greedy, seven sentences",
            drawn(11, (5, 3, 4, 2, 5, 1, 3), 9, ends=1),
            **GREEDY,
        ),
        Check("greedy, no end in sight", drawn(9, (4, 2, 3), 5, ends=-20), **GREEDY),
        Check(
            "greedy, other marks",
            drawn(11, (4, 3, 5, 2, 5), 9, ends=1, marks=(4, 7)),
            **GREEDY,
        ),
        Check("one beam, no end", drawn(7, (3,), 6, 1, 0.7, ends=-20), **BEAM),
        Check("three beams, no penalty", drawn(9, (4,), 7, 3, 0.0), **BEAM),
        Check("four beams, alpha 0.6", drawn(9, (5,), 7, 4, 0.6, ends=1), **BEAM),
        Check("two beams, alpha 3", forked(11, 7, 3.0, end=0.4), **BEAM),
        Check("an ended beam keeps its place", forked(11, 7, 2.0, end=0.5), **BEAM),
        Check("an ended beam is overtaken", overtaken(9, 7, 2, 2.0), **BEAM),
        Check("other marks", drawn(11, (4,), 8, 3, 1.0, ends=1, marks=(3, 6)), **BEAM),
    ),
    hints=(
        "Greedy first. Write down `tgt` after each step for two sentences of which one ends "
        "early. What has the shape (batch, t, vocab), and which of its rows do you read?",
        "A beam is a list of words and a sum. In each step gather the successors of all "
        "open beams and the ended beams in one list, and keep the best of it.",
    ),
    page="13c_the_whole_on_one_page",
    section="Writing",
    why="Neither search knows what kind of model it asks: `encode` and `decode` are all that "
    "they use. Encode once, decode at each word.",
)
