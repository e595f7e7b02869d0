"""Answers to 17.5: up, down or same, for width, penalty and temperature."""

TRUE = ("'up'", "'down'", "'up'", "'same'", "'up'", "'down'", "'same'")
NAMES = (
    "wide_log_p",
    "wide_length",
    "penalty_length",
    "penalty_greedy",
    "hot_variety",
    "hot_log_p",
    "top_1_variety",
)


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "plain": all_but(),
    "double quotes": all_but().replace("'", '"'),
    "capitals": all_but(wide_log_p="'UP'", hot_log_p="'Down'"),
    "spaces": all_but(penalty_greedy="' same '", wide_length="'down '"),
    "lower": all_but(hot_variety="'UP'.lower()"),
    "in lists": all_but(penalty_length="['up']"),
    "in arrays": all_but(top_1_variety="np.array(['same'])"),
    "chosen": all_but(wide_log_p="'up' if -3.6 > -4.8 else 'down'"),
    "joined": all_but(hot_log_p="''.join('down')"),
}

WRONG = {
    "all up": ", ".join(["'up'"] * 7),
    "all down": ", ".join(["'down'"] * 7),
    "all same": ", ".join(["'same'"] * 7),
    "other words": all_but(wide_log_p="'more'"),
    "higher": all_but(wide_log_p="'higher'"),
    "numbers": "1, -1, 1, 0, 1, -1, 0",
    "truth values": all_but(penalty_greedy="True"),
    "nothing chosen": all_but(hot_variety="''"),
    "both": all_but(hot_log_p="'up or down'"),
    "upside down": "'down', 'up', 'down', 'same', 'down', 'up', 'same'",
    "two words": all_but(wide_length="('up', 'down')"),
    "a list of all": all_but(top_1_variety="['same'] * 2"),
}

SPELLINGS = {
    "wider finds less": [all_but(wide_log_p="'Down'")],
    "wider finds the same": [all_but(wide_log_p="'SAME'")],
    "wider writes more": [all_but(wide_length="'Up'")],
    "width and length apart": [all_but(wide_length="' same'")],
    "penalty shortens": [all_but(penalty_length="'DOWN'")],
    "penalty without effect": [all_but(penalty_length="'Same'")],
    "penalty lengthens greedy": [all_but(penalty_greedy="'UP'")],
    "penalty shortens greedy": [all_but(penalty_greedy="'Down '")],
    "heat narrows": [all_but(hot_variety="'down '")],
    "heat without effect on variety": [all_but(hot_variety="'same '")],
    "heat finds likelier sentences": [all_but(hot_log_p="'up '")],
    "heat without effect on likelihood": [all_but(hot_log_p="'SAME'")],
    "one word, and still variety": [all_but(top_1_variety="'Up'")],
    "one word, and less variety": [all_but(top_1_variety="'Down'")],
}
