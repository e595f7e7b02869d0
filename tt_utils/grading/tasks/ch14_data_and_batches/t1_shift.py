"""14.1 The shift: what the decoder reads, and what it must say next."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def shift(tgt, pad, ignore):
    inputs = tgt[:, :-1]
    labels = tgt[:, 1:]
    return inputs, labels.masked_fill(labels == pad, ignore)
"""

WHERE = """
def shift(tgt, pad, ignore):
    t = tgt.shape[1]
    read = tgt.narrow(1, 0, t - 1)
    said = tgt.narrow(1, 1, t - 1)
    return read, torch.where(said != pad, said, ignore)
"""

LOOP = """
def shift(tgt, pad, ignore):
    inputs, labels = [], []
    for row in tgt.tolist():
        inputs.append(row[:-1])
        labels.append([ignore if word == pad else word for word in row[1:]])
    return torch.tensor(inputs), torch.tensor(labels)
"""

CLONED = """
def shift(tgt, pad, ignore):
    inputs, labels = tgt[:, :-1].clone(), tgt[:, 1:].clone()
    labels[labels == pad] = ignore
    return inputs, labels
"""

MISTAKES = """
no shift: labels = tgt[:, 1:] → labels = tgt[:, :-1]
or: inputs = tgt[:, :-1] → inputs = tgt[:, 1:]
or: row[1:] → row[:-1]
or: inputs = tgt[:, :-1] → inputs = tgt
and: labels = tgt[:, 1:] → labels = tgt
    Place by place your labels are what the decoder reads there: the answer stands in
    the question. Which word should it say after the first one?

shifted the wrong way: inputs = tgt[:, :-1] → inputs = tgt[:, 1:]
and: labels = tgt[:, 1:] → labels = tgt[:, :-1]
or: inputs.append(row[:-1]) → inputs.append(row[1:])
and: for word in row[1:] → for word in row[:-1]
    Your decoder has to say the word before the one that it reads. With which word does
    the first label belong together: the one before it, or the one after?

the end cut off: labels = tgt[:, 1:] → labels = tgt[:, 1:-1]
or: inputs = tgt[:, :-1] → inputs = tgt[:, :-2]
and: labels = tgt[:, 1:] → labels = tgt[:, 1:-1]
or: for word in row[1:] → for word in row[1:-1]
    Your labels stop one place too early, and the longest sentence loses its end mark.
    How would the model learn to stop?

the last word still read: inputs = tgt[:, :-1] → inputs = tgt
or: inputs.append(row[:-1]) → inputs.append(row)
    You give the decoder one word more to read than there are labels. What would it have
    to say after the end mark?

the begin mark to be said: labels = tgt[:, 1:] → labels = tgt
or: for word in row[1:] → for word in row
    Your labels begin with the begin mark. Does the decoder ever have to say that one?

padding in the labels: labels.masked_fill(labels == pad, ignore) → labels
or: torch.where(said != pad, said, ignore) → said
or: ignore if word == pad else word for → word for
    Padding stands in your labels, so the model is trained to say it. What should stand
    there, to be left out of the loss?

ignored in the inputs too: labels[labels == pad] = ignore → labels[labels == pad] = ignore; inputs[inputs == pad] = ignore
or: tgt[:, :-1].clone(), tgt[:, 1:].clone() → tgt[:, :-1], tgt[:, 1:]
    `ignore` stands in your inputs, and no word has that number. Which of the two may
    hold it? And do they share their numbers, as slices of one tensor do?

ignored where the input is padding: labels.masked_fill(labels == pad, ignore) → labels.masked_fill(inputs == pad, ignore)
or: torch.where(said != pad, said, ignore) → torch.where(read != pad, said, ignore)
    One place of padding in each short row still counts. Is a label left out for what
    the decoder reads there, or for what it would have to say?

the end mark left out: labels == pad, ignore → torch.arange(1, tgt.shape[1]) >= (tgt != pad).sum(1, keepdim=True) - 1, ignore
    Your end mark is left out of the loss. Is it padding, or something that the model
    must learn to say?

words left out, padding kept: labels == pad, ignore → labels != pad, ignore
or: said != pad, said → said == pad, said
or: word == pad → word != pad
or: labels[labels == pad] → labels[labels != pad]
    You leave the words out and keep the padding. Which of them is to be learnt?

padding taken to be 0: labels == pad, ignore → labels == 0, ignore
or: said != pad → said != 0
or: word == pad → word == 0
or: labels == pad] → labels == 0]
    You took 0 for padding. Which argument says which number padding has?

ignore taken to be -100: labels == pad, ignore → labels == pad, -100
or: said, ignore → said, -100
or: ignore if → -100 if
or: = ignore → = -100
    You wrote a number of your own where there is no word to learn. Which argument says
    what stands there?

end mark taken out of the inputs: return inputs, labels. → return inputs.masked_fill(labels == pad, pad), labels.
or: return read, → return torch.where(said != pad, read, pad),
or: inputs.append(row[:-1]) → inputs.append([pad if after == pad else word for word, after in zip(row, row[1:])])
    In short rows your decoder doesn't read the end mark. Which numbers of `tgt` does
    the task change in the inputs?

nothing cut off: inputs = tgt[:, :-1] → inputs = tgt
and: labels = tgt[:, 1:] → labels = tgt.roll(-1, 1)
or: inputs = tgt[:, :-1] → inputs = tgt
and: labels = tgt[:, 1:] → labels = F.pad(tgt[:, 1:], (0, 1), value=pad)
or: inputs.append(row[:-1]) → inputs.append(row)
and: for word in row[1:] → for word in row[1:] + row[:1]
    Both of yours are as long as the rows of `tgt`. How many words of a row have a next
    word in it?

results swapped: return inputs, labels.masked_fill(labels == pad, ignore) → return labels.masked_fill(labels == pad, ignore), inputs
or: return read, torch.where(said != pad, said, ignore) → return torch.where(said != pad, said, ignore), read
or: return inputs, labels\\n → return labels, inputs\\n
or: return torch.tensor(inputs), torch.tensor(labels) → return torch.tensor(labels), torch.tensor(inputs)
    Both are right. In which order are they asked for?

shifted along the batch: tgt[:, :-1] → tgt[:-1]
and: tgt[:, 1:] → tgt[1:]
    You cut rows off, whole sentences. Along which axis do the words of one sentence
    stand?
"""


def batch(*lengths, bos=2, eos=3, pad=0, ignore=-100):
    """Rows of so many words each, between the marks, padded to the longest."""
    width = max(lengths) + 2

    def inputs(rng):
        tgt = np.full((len(lengths), width), pad)
        for row, n in zip(tgt, lengths, strict=True):
            row[: n + 2] = [bos, *rng.integers(11, 99, n), eos]
        return tgt, pad, ignore

    return inputs


TASK = FunctionTask(
    title="The shift",
    kind="implement",
    answers=("shift",),
    arguments=("tgt", "pad", "ignore"),
    outputs=("inputs", "labels"),
    arrays="torch",
    right=(PLAIN, WHERE, LOOP, CLONED),
    mistakes=MISTAKES,
    checks=(
        Check("one sentence of three words", batch(3)),
        Check("two of the same length", batch(5, 5)),
        Check("a short and a long one", batch(2, 5)),
        Check("padding has the number 1", batch(4, 1, 7, pad=1)),
        Check("left out by −1", batch(6, 3, 2, ignore=-1)),
        Check("five sentences", batch(2, 9, 4, 7, 5, bos=5, eos=8, pad=7, ignore=-7)),
    ),
    hints=(
        "Write one sentence twice, one below the other, and push the lower one a place "
        "to the left. Which word has no partner above, and which none below?",
        "One slice leaves out the last column and one the first. Then ask which labels "
        "are padding; write them into something new, not into `tgt`.",
    ),
    section="The shift",
    why="At each place the decoder has read the words so far and must say the next one; "
    "with a causal mask all places are learnt at once. The end mark is a word to say, "
    "padding is not.",
)
