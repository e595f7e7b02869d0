"""23.8 Stage 8: trained from nothing, it must translate what it has never read."""

from tt_utils.data.invented import invented_pairs
from tt_utils.grading.tasks.spec import Symptom, TrainingTask

LENT = """
import random

from tt_utils.grading import lent

def translate(pairs, texts):
    torch.manual_seed(0)
    rng = random.Random(0)
    ids = lent.vocabulary([text for pair in pairs for text in pair])
    sizes = {"d_model": 64, "d_ff": 256, "dropout": 0.1}

    def attention():
        return lent.MultiHeadAttention(64, 4)

    model = lent.Transformer(
        lent.Embedding(len(ids), 64, 0.1),
        [lent.EncoderLayer(attention(), **sizes)],
        [lent.DecoderLayer(attention(), attention(), **sizes)],
    )
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    for step in range(1, 501):
        src, tgt, labels = lent.batch_of(rng.sample(pairs, 64), ids)
        loss = lent.loss_of(model(src, tgt), labels)
        optimizer.param_groups[0]["lr"] = lent.learning_rate(step, 64, 200)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    src = lent.pad([lent.tokenize(text, ids) for text in texts])
    with torch.no_grad():
        written = lent.greedy(model, src, 1, 2, 20)
    return [lent.detokenize(row, ids) for row in written.tolist()]
"""


def all_alike(texts, right, written):
    return len(set(written)) == 1


def marks_left(texts, right, written):
    marks = ("<s>", "</s>", "<pad>")
    return sum(any(mark in text for mark in marks) for text in written) > len(texts) / 2


def source_given_back(texts, right, written):
    return sum(one == other for one, other in zip(texts, written, strict=True)) > 1


def in_another_order(texts, right, written):
    """Are they the right translations, of other sentences?"""
    return sorted(right) == sorted(written)


def one_word_repeated(texts, right, written):
    rows = [text.split() for text in written]
    return sum(len(set(row)) <= len(row) / 2 for row in rows) > len(rows) / 2


def never_ends(texts, right, written):
    """Does it begin right, and go on behind the end?"""
    pairs = zip(right, written, strict=True)
    return sum(one != other and other.startswith(one) for one, other in pairs) > (
        len(texts) / 2
    )


def cut_short(texts, right, written):
    pairs = zip(right, written, strict=True)
    return sum(one != other and one.startswith(other) for one, other in pairs) > (
        len(texts) / 4
    )


def words_in_the_wrong_order(texts, right, written):
    """The right words, at other positions."""
    wrong = [pair for pair in zip(right, written, strict=True) if pair[0] != pair[1]]
    return sum(
        sorted(one.split()) == sorted(other.split()) for one, other in wrong
    ) > max(1, len(wrong) / 3)


def nearly(texts, right, written):
    pairs = zip(right, written, strict=True)
    return sum(one == other for one, other in pairs) > len(texts) / 2


def hardly(texts, right, written):
    return True


SYMPTOMS = (
    Symptom(
        "all alike",
        all_alike,
        "It writes the same for every sentence, so the source has no say. Does `memory` "
        "reach the decoder, and was there any training at all?",
    ),
    Symptom(
        "marks left in the text",
        marks_left,
        "Marks stand in your translations. Which function turns ids into what a reader "
        "sees, and where does it stop?",
    ),
    Symptom(
        "source given back",
        source_given_back,
        "You give back sentences of the source. Which of the two columns of `pairs` does "
        "the decoder learn to write?",
    ),
    Symptom(
        "another order",
        in_another_order,
        "All translations are right, but they stand in another order than the sentences "
        "that were asked. Where do you sort or shuffle?",
    ),
    Symptom(
        "behind the end",
        never_ends,
        "Your translations begin right and go on behind their end. Is the end mark among "
        "the labels, and does writing stop at it?",
    ),
    Symptom(
        "cut short",
        cut_short,
        "Your translations begin right and are cut off. How many words may be written, and "
        "where is text cut?",
    ),
    Symptom(
        "one word repeated",
        one_word_repeated,
        "It repeats itself. While it trains, can a position see the word that it should "
        "predict: through the causal mask, or because labels aren't one step ahead?",
    ),
    Symptom(
        "the words in the wrong order",
        words_in_the_wrong_order,
        "The words are right and stand at the wrong positions. What tells the model where "
        "a word stands?",
    ),
    Symptom(
        "nearly",
        nearly,
        "It has learnt most of it. Print the loss every 100 steps: does it still fall at "
        "the end, and is the model in evaluation mode when it writes?",
    ),
    Symptom(
        "hardly",
        hardly,
        "Print the loss every 100 steps: it should begin above 6 and fall below 1. If it "
        "does, look at the writing; if not, at the loop, with lent parts one by one.",
    ),
)

TASK = TrainingTask(
    title="Stage 8: it translates",
    kind="implement",
    answers=("translate",),
    arguments=("pairs", "texts"),
    right=(LENT,),
    draw=invented_pairs,
    shares=(0.1, 0.5, 0.9, 0.95, 0.99),
    symptoms=SYMPTOMS,
    seconds=120,
    hints=(
        "One step of training: draw pairs, make a batch, read the target, compare with the "
        "labels, set the rate, clear the slopes, go back, step. Which of them is missing?",
        "If you don't know whose fault it is, lend all parts and write the loop alone. Then "
        "take your own parts back, one by one.",
    ),
    page="13c_the_whole_on_one_page",
    section="Training",
    why="You wrote all of it. Its words were drawn for this one check, and no sentence that "
    "it translated had ever been shown: what it learnt is the grammar.",
)
