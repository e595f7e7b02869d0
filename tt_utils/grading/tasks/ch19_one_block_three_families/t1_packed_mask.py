"""19.1 The mask of a row that holds several texts, each read first and then written."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

BLOCKS = """
def packed_mask(texts, t):
    mask = torch.zeros(t, t, dtype=torch.bool)
    begin = 0
    for read, written in texts:
        end = begin + read + written
        mask[begin:end, begin:end] = torch.ones(end - begin, end - begin).tril().bool()
        mask[begin:end, begin : begin + read] = True
        begin = end
    return mask
"""

CONDITIONS = """
def packed_mask(texts, t):
    text = torch.full((t,), -1)
    is_read = torch.zeros(t, dtype=torch.bool)
    begin = 0
    for number, (read, written) in enumerate(texts):
        text[begin : begin + read + written] = number
        is_read[begin : begin + read] = True
        begin += read + written
    positions = torch.arange(t)
    same = (text[:, None] == text) & (text >= 0)
    past = positions[:, None] >= positions
    return same & (past | is_read)
"""

LOOPS = """
def packed_mask(texts, t):
    mask = [[False] * t for _ in range(t)]
    begin = 0
    for read, written in texts:
        for i in range(begin, begin + read + written):
            for j in range(begin, max(begin + read, i + 1)):
                mask[i][j] = True
        begin += read + written
    return torch.tensor(mask)
"""

BLOCK_DIAGONAL = """
def packed_mask(texts, t):
    blocks = []
    for read, written in texts:
        block = torch.ones(read + written, read + written).tril()
        block[:, :read] = 1
        blocks.append(block)
    padding = t - sum(len(block) for block in blocks)
    blocks.append(torch.zeros(padding, padding))
    return torch.block_diag(*blocks).bool()
"""

MISTAKES = """
all causal: mask[begin:end, begin : begin + read] = True → pass
or: (past | is_read) → past
or: max(begin + read, i + 1) → i + 1
or: block[:, :read] = 1 → pass
    Every token looks back alone in yours, as in a decoder-only model. Which part of a
    text stands there whole before anything is written, and may look ahead?

nothing causal: .tril().bool() → .bool()
or: same & (past | is_read) → same
or: max(begin + read, i + 1) → begin + read + written
or: .tril() →
    What is written sees its own future in yours. Which token is it trained to say at a
    position, and where does that one stand?

texts before are seen: mask[begin:end, begin : begin + read] = True → mask[begin:end, : begin + read] = True
or: text[:, None] == text → text[:, None] >= text
or: range(begin, max( → range(0, max(
    Your second text sees the first. They share a row to save padding: what has one text
    to do with the other?

one text for all: text[:, None] == text) & (text >= 0) → text[:, None] >= 0) & (text >= 0)
or: mask[begin:end, begin : begin + read] = True → mask[:, begin : begin + read] = True
    In yours a text sees what is read in all others, those behind it too. Which condition
    keeps two texts apart?

one triangle over the row: return same & (past | is_read) → return past | same & is_read
or: max(begin + read, i + 1)):\\n                mask[i][j] = True → begin + read):\\n                mask[i][j] = True
and: return torch.tensor(mask) → return torch.tensor(mask) | torch.ones(t, t).tril().bool()
    You laid one triangle over the whole row, so later texts and the padding see all that
    came before. What separates one text from the next?

strangers in the written part: mask[begin:end, begin:end] = torch.ones(end - begin, end - begin).tril().bool() → mask[begin:end, begin:end] = torch.eye(end - begin).bool()
or: past = positions[:, None] >= → past = positions[:, None] ==
or: mask[begin:end, begin:end] = torch.ones(end - begin, end - begin).tril().bool() → pass
or: block = torch.ones(read + written, read + written).tril() → block = torch.eye(read + written)
    Written tokens see what was read, and nothing of what was written before them. On
    what does the third written word depend?

what was read is hidden: (past | is_read) → (past | is_read) & (is_read == is_read[:, None])
or: mask[begin:end, begin : begin + read] = True → mask[begin : begin + read, begin : begin + read] = True; mask[begin + read : end, begin : begin + read] = False
or: block[:, :read] = 1 → block[:read, :read] = 1; block[read:, :read] = 0
    What is written knows nothing in yours of what was read. What was it read for?

readers see what is written: (past | is_read) → (past | is_read | is_read[:, None])
or: block[:, :read] = 1 → block[:, :read] = 1; block[:read] = 1
or: mask[begin:end, begin : begin + read] = True → mask[begin:end, begin : begin + read] = True; mask[begin : begin + read, begin:end] = True
    The tokens that are read see what will be written behind them, and hand it on. When
    the model writes, is that there already?

own token hidden: .tril().bool() → .tril(-1).bool()
or: positions[:, None] >= → positions[:, None] >
or: i + 1) → i)
or: .tril() → .tril(-1)
    A token that is written doesn't see itself in yours. It is the next one that must
    stay hidden: does a token know itself already?

one token ahead: .tril().bool() → .tril(1).bool()
or: .tril() → .tril(1)
or: positions[:, None] >= → positions[:, None] + 1 >=
    What is written sees one token ahead, and that is the one it has to say. Where does
    the triangle end?

looks ahead: .tril().bool() → .triu().bool()
or: positions[:, None] >= → positions[:, None] <=
or: .tril() → .triu()
    What is written sees what follows it, and not what came before. In a table whose rows
    are queries, on which side of the diagonal does the past lie?

begins at 0 each time: begin = end → pass
or: begin += read + written → pass
    All your texts begin at position 0. Where does the second one begin?

begins within the text before: begin = end → begin += written
or: begin += read + written → begin += written
or: begin = end → begin += read
or: begin += read + written → begin += read
    Your second text begins where the first has not ended yet. How many tokens has a text
    in all?

read from the row's beginning: begin : begin + read] = True → begin : max(begin, read)] = True
or: max(begin + read, i + 1) → max(read, i + 1)
or: is_read[begin : begin + read] → is_read[:read]
    In the first text you know what is read, in the next ones hardly. From where do you
    count those tokens?

read part one too long: mask[begin:end, begin : begin + read] = True → mask[begin:end, begin : min(begin + read + 1, end)] = True
or: is_read[begin : begin + read] → is_read[begin : begin + read + (written > 0)]
or: max(begin + read, i + 1) → min(max(begin + read + 1, i + 1), begin + read + written)
or: block[:, :read] → block[:, : read + 1]
    The first written token is seen by everybody in its text. With `read` tokens from
    `begin` on, at which position does the last of them stand?

read part one too short: begin : begin + read] = True → begin : begin + max(read - 1, 0)] = True
or: is_read[begin : begin + read] → is_read[begin : begin + max(read - 1, 0)]
or: max(begin + read, i + 1) → max(begin + read - 1, i + 1)
or: block[:, :read] → block[:, : max(read - 1, 0)]
    The last token that is read is hidden from those before it. How many tokens are read
    in both directions?

second number as the length: begin + read + written → begin + written
and: begin += read + written → begin += written
or: end = begin + read + written → end = begin + written
    Your texts end too early. Does `written` count the whole text, or what stands behind
    the part that is read?

numbers swapped: for read, written in texts → for written, read in texts
or: (read, written) in enumerate → (written, read) in enumerate
    You took the first number of a pair for the second. Which part of a text comes
    first, the read one or the written one?

padding as one more text: & (text >= 0) →
or: torch.zeros(padding, padding) → torch.ones(padding, padding).tril()
    The padding of your row sees itself, as if it were a text. What may padding see?

padding sees itself alone: return mask → return mask | torch.eye(t, dtype=torch.bool)
or: return same & (past | is_read) → return same & (past | is_read) | torch.eye(t, dtype=torch.bool)
    Each padded position sees itself in yours. The task says what padding sees; attention
    takes care of a row that may see nothing.

rows of padding open: return mask → mask[begin:] = True\\n    return mask
or: same = (text[:, None] == text) & (text >= 0)\\n → same = ((text[:, None] == text) & (text >= 0))\\n    is_read = is_read | (text[:, None] < 0)\\n    same = same | (text[:, None] < 0)\\n
    Your rows of padding are all open, perhaps to save softmax from an empty row. What
    does this book's attention make of a row that may see nothing?

padding sees the texts: return mask → mask[begin:, :begin] = True\\n    return mask
or: same = (text[:, None] == text) & (text >= 0) → same = ((text[:, None] == text) | (text[:, None] < 0)) & (text >= 0)
    Your padding may be seen by nobody, but it sees the texts. What does the task allow
    to it?

padding sees and is seen: return mask → mask[begin:] = True\\n    mask[:, begin:] = True\\n    return mask
or: same = (text[:, None] == text) & (text >= 0) → same = (text[:, None] == text) | (text < 0) | (text[:, None] < 0)
    Padding takes part in yours: it sees the texts, and is seen where no triangle hides
    it. What does the task allow to it?

no padding: mask = torch.zeros(t, t, dtype=torch.bool) → t = sum(map(sum, texts)); mask = torch.zeros(t, t, dtype=torch.bool)
or: blocks.append(torch.zeros(padding, padding)) → pass
or: mask = [[False] * t → t = sum(map(sum, texts)); mask = [[False] * t
    Your table has rows for the texts alone. How many tokens does the row of tokens hold,
    padding included?

rows and columns swapped: return mask → return mask.T
or: return same & (past | is_read) → return (same & (past | is_read)).T
or: mask[i][j] = True → mask[j][i] = True
or: torch.block_diag(*blocks).bool() → torch.block_diag(*blocks).bool().T
    Your table is lying on its side. Which axis belongs to the query, that is, to the
    token that looks?

True for what is hidden: return mask → return ~mask
or: return same & (past | is_read) → return ~(same & (past | is_read))
or: return torch.tensor(mask) → return ~torch.tensor(mask)
    Each truth value is the opposite of the right one. In this book, what does True in a
    mask say?

numbers instead of truth values: return mask → return mask.float()
or: return mask → return mask.int()
or: return torch.block_diag(*blocks).bool() → return torch.block_diag(*blocks)
    You return the numbers 0 and 1. Attention would add those to its scores, and hide
    nothing. What should stand in a mask?

scores instead of truth values: return mask → return torch.zeros(t, t).masked_fill(~mask, -torch.inf)
or: return same & (past | is_read) → return torch.where(same & (past | is_read), 0.0, -torch.inf)
    You return what is added to the scores. What is asked for comes one step before: may
    this token see that one, yes or no?

a batch of one: return mask → return mask[None]
or: return same & (past | is_read) → return (same & (past | is_read))[None]
or: return torch.tensor(mask) → return torch.tensor([[mask]])
    Yours has an axis in front. How many axes has a table with a row for each query and a
    column for each key?
"""


def row(*texts, padding=0):
    """A row of these texts, and padding behind them."""

    def inputs(rng):
        return list(texts), sum(map(sum, texts)) + padding

    return inputs


def drawn(*kinds, padding=False):
    """A row of as many texts; "r" is read, "w" written, of 2 to 6 tokens each."""

    def inputs(rng):
        texts = [
            tuple(int(rng.integers(2, 7)) * (part in kind) for part in "rw")
            for kind in kinds
        ]
        return row(*texts, padding=int(rng.integers(2, 6)) * padding)(rng)

    return inputs


TASK = FunctionTask(
    title="Several texts in one row",
    kind="implement",
    answers=("packed_mask",),
    arguments=("texts", "t"),
    outputs=("mask",),
    arrays="torch",
    right=(BLOCKS, CONDITIONS, LOOPS, BLOCK_DIAGONAL),
    mistakes=MISTAKES,
    checks=(
        Check("one text that is written", row((0, 5)), fresh=drawn("w")),
        Check("one text that is read", row((5, 0)), fresh=drawn("r")),
        Check("three tokens read, four written", row((3, 4)), fresh=drawn("rw")),
        Check(
            "padding behind the text",
            row((2, 3), padding=2),
            fresh=drawn("rw", padding=True),
        ),
        Check("two texts that are written", row((0, 3), (0, 4)), fresh=drawn("w", "w")),
        Check("two texts that are read", row((2, 0), (5, 0)), fresh=drawn("r", "r")),
        Check(
            "two texts, each read and written",
            row((3, 2), (5, 7)),
            fresh=drawn("rw", "rw"),
        ),
        Check(
            "four texts of different kinds, and padding",
            row((2, 3), (0, 5), (3, 0), (4, 2), padding=3),
            fresh=drawn("rw", "w", "r", "rw", padding=True),
        ),
        Check(
            "an empty text between two",
            row((1, 2), (0, 0), (2, 1), padding=1),
            fresh=drawn("rw", "", "rw", padding=True),
        ),
        Check(
            "nothing but padding",
            row(padding=3),
            fresh=lambda rng: row(padding=int(rng.integers(4, 12)))(rng),
        ),
    ),
    hints=(
        "Draw the square of one text with 2 read and 3 written tokens, as in the "
        "chapter's picture. Then draw a second text behind it: which squares stay dark?",
        "Three questions decide about a pair: do both tokens belong to the same text, is "
        "the key in the part that is read, and does it stand before the query?",
    ),
    section="Who sees whom",
    why="The three families are one mask with other lengths: nothing read is a "
    "decoder-only model, nothing written an encoder-only one. And texts that share a row "
    "stay strangers as long as the mask keeps them apart.",
)
