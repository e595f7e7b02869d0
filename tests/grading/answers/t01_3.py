"""Answers to 01.3, nearest by dot product, nearest by cosine, and unrelated."""

RIGHT = {
    "as asked": '"the", "drank", "black"',
    "capitals": '"The", "Drank", "Black"',
    "all capitals": '"THE", "DRANK", "BLACK"',
    "with blanks": '" the", "drank ", " black "',
    "lists of one word": '["the"], ["drank"], ["black"]',
    "tuples of one word": '("the",), ("drank",), ("black",)',
    "NumPy strings": 'np.str_("the"), np.array("drank"), np.array(["black"])',
    "with a line end": '"the\\n", "drank\\n", "black\\n"',
    "picked from the table": (
        '["drank", "the", "black", "dry"][np.argmax([7, 14, 0, -10])],'
        ' ["drank", "the", "black", "dry"][np.argmax([0.99, 0.52, 0, -1])], "black"'
    ),
    "computed with max": (
        'max({"drank": 7, "the": 14, "black": 0, "dry": -10}.items(),'
        ' key=lambda item: item[1])[0], "drank", "black"'
    ),
    "values of a dict": (
        '{1: "the"}.values(), {1: "drank"}.values(), {1: "black"}.values()'
    ),
    "keys of a dict": '{"the": 14}.keys(), {"drank": 0.99}.keys(), {"black": 0}.keys()',
    "an f-string": 'f"{\'the\'}", "dr" + "ank", "".join("black")',
}

WRONG = {
    "black by dot": '"black", "drank", "black"',
    "all the same": '"black", "black", "black"',
    "milk itself": '"milk", "milk", "black"',
    "milk by cosine": '"the", "milk", "black"',
    "milk unrelated": '"the", "drank", "milk"',
    "drank unrelated": '"the", "drank", "drank"',
    "black by cosine": '"the", "black", "black"',
    "vectors": "(1, 12), (3, 1), (-1, 2)",
    "numbers": "14, 0.99, 0",
    "the whole table": '["drank", "the", "black", "dry"], "drank", "black"',
    "all three in each": '("the", "drank", "black"), "drank", "black"',
    "misspelt": '"teh", "drank", "black"',
    "two words": '"the", "drank or the", "black"',
    "empty": '"", "", ""',
    "None": 'None, "drank", "black"',
    "bytes": 'b"the", b"drank", b"black"',
    "a sentence": '"the word is the", "drank", "black"',
    "translated": '"el", "bebió", "negro"',
    "positions": "1, 0, 2",
    "rotated": '"drank", "black", "the"',
    "with quotes inside": "\"'dry'\", \"'drank'\", \"'black'\"",
    "an object that equals all": (
        'type("Any", (), {"__eq__": lambda self, other: True,'
        ' "__hash__": lambda self: 0})(), "drank", "black"'
    ),
    "a text that equals all": (
        'type("Any", (str,), {"__eq__": lambda self, other: True,'
        ' "__hash__": str.__hash__})("dry"), "drank", "black"'
    ),
    "the last letter missing": '"the", "dran", "black"',
}

SPELLINGS = {
    "dot twice": [
        '"the", "the", "black"',
        '"The", "The", "Black"',
        '["the"], ["the"], ["black"]',
        '" the ", "the", "black"',
        'np.str_("the"), np.str_("the"), np.str_("black")',
    ],
    "cosine twice": [
        '"drank", "drank", "black"',
        '"DRANK", "DRANK", "BLACK"',
        '("drank",), ("drank",), ("black",)',
        '"drank ", "drank ", "black"',
    ],
    "swapped": [
        '"drank", "the", "black"',
        '"Drank", "The", "Black"',
        '["drank"], ["the"], ["black"]',
        'np.array("drank"), np.array("the"), np.array("black")',
        '"dr" + "ank", "th" + "e", "black"',
    ],
    "opposite as nearest": [
        '"the", "dry", "black"',
        '"The", "Dry", "Black"',
        '["the"], ["dry"], ["black"]',
        '"the", " dry", "black"',
    ],
    "size of the dot product": [
        '"dry", "drank", "black"',
        '"DRY", "drank", "black"',
        '("dry",), "drank", "black"',
        'np.str_("dry"), "drank", "black"',
    ],
    "opposite as unrelated": [
        '"the", "drank", "dry"',
        '"The", "Drank", "DRY"',
        '["the"], ["drank"], ["dry"]',
        '"the", "drank", " dry "',
    ],
    "long as unrelated": [
        '"the", "drank", "the"',
        '"THE", "drank", "THE"',
        '["the"], ["drank"], ["the"]',
        '"the", "drank", np.array(["the"])',
    ],
}
