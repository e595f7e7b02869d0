"""How many replies are right, and what one would score who only knew the averages."""

from collections import Counter
from collections.abc import Callable, Sequence

from tt_utils.data.dialogue.turns import Dialogue, Exchange
from tt_utils.data.dialogue.world import DONT_KNOW

Judged = list[tuple[Exchange, str]]


def questions(
    dialogues: Sequence[Dialogue], replies: Sequence[Sequence[str]]
) -> Judged:
    """Pair every question with what was replied to it."""
    return [
        (exchange, reply)
        for dialogue, said in zip(dialogues, replies, strict=True)
        for exchange, reply in zip(dialogue, said, strict=True)
        if exchange.question
    ]


def share_right(
    judged: Judged, which: Callable[[Exchange], object] = lambda exchange: True
) -> float:
    """Give the share of right replies to those questions that `which` picks.

    Raises:
        ValueError: it picks none.
    """
    right = [reply == exchange.reply for exchange, reply in judged if which(exchange)]
    if not right:
        raise ValueError("share_right: there is no such question; ask more of them.")
    return sum(right) / len(right)


def by_distance(judged: Judged, distances: Sequence[int]) -> list[float]:
    """Give the share of right replies for each distance to the fact."""

    def at(distance: int) -> Callable[[Exchange], bool]:
        return lambda exchange: exchange.distance == distance

    return [share_right(judged, at(distance)) for distance in distances]


def most_frequent(dialogues: Sequence[Dialogue]) -> Callable[[Exchange], str]:
    """Reply to each kind of question what is most often right where it was told."""
    counts: dict[str, Counter[str]] = {}
    for dialogue in dialogues:
        for exchange in dialogue:
            question = exchange.question
            if question and exchange.reply != DONT_KNOW:
                form = exchange.reply.replace(question.about, "{}")
                counts.setdefault(question.topic, Counter())[form] += 1
    forms = {topic: count.most_common(1)[0][0] for topic, count in counts.items()}

    def reply(exchange: Exchange) -> str:
        question = exchange.question
        return forms[question.topic].format(question.about) if question else ""

    return reply
