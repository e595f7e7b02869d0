"""Answers to 11.5: (3, 10, 512), (3, 8, 10, 10), 10 and 1."""

RIGHT = {
    "plain": "(3, 10, 512), (3, 8, 10, 10), 10, 1",
    "lists": "[3, 10, 512], [3, 8, 10, 10], 10, 1",
    "torch.Size": "torch.Size((3, 10, 512)), torch.Size([3, 8, 10, 10]), 10, 1",
    "shapes of tensors": "torch.zeros(3, 10, 512).shape, torch.zeros(3, 8, 10, 10).shape, 10, 1",
    "shapes of arrays": "np.zeros((3, 10, 512)).shape, np.zeros((3, 8, 10, 10)).shape, 10, 1",
    "arrays": "np.array([3, 10, 512]), np.array([3, 8, 10, 10]), 10, 1",
    "decimals": "(3.0, 10.0, 512.0), (3, 8, 10, 10), 10.0, 1.0",
    "lists of one": "(3, 10, 512), (3, 8, 10, 10), [10], [1]",
    "sums": "(3, 7 + 3, 8 * 64), (3, 8, 7 + 3, 7 + 3), 7 + 3, 1",
    "tensors": "torch.tensor([3, 10, 512]), torch.tensor([3, 8, 10, 10]), torch.tensor(10), 1",
    "a map": "map(int, ('3', '10', '512')), (3, 8, 10, 10), 10, 1",
    "a generator": "(n for n in (3, 10, 512)), (3, 8, 10, 10), 10, 1",
}

WRONG = {
    "text": "'(3, 10, 512)', '(3, 8, 10, 10)', 10, 1",
    "one number": "512, (3, 8, 10, 10), 10, 1",
    "other width": "(3, 10, 511), (3, 8, 10, 10), 10, 1",
    "twice the positions": "(3, 20, 512), (3, 8, 20, 20), 10, 1",
    "all sizes multiplied": "3 * 10 * 512, 3 * 8 * 10 * 10, 10, 1",
    "four axes out": "(3, 10, 8, 64), (3, 8, 10, 10), 10, 1",
    "swapped": "(3, 8, 10, 10), (3, 10, 512), 10, 1",
    "numbers swapped": "(3, 10, 512), (3, 8, 10, 10), 1, 10",
    "half": "(3, 10, 512), (3, 8, 10, 10), 2, 1",
    "None": "(3, 10, 512), (3, 8, 10, 10), 10, None",
    "truth value": "(3, 10, 512), (3, 8, 10, 10), 10, True",
    "numbers of vectors": "(3, 10, 512), (3, 8, 10, 10), 10 * 512, 512",
}

SPELLINGS = {
    "one vector for each sentence": ["(3, 512), (3, 8, 10, 10), 10, 1"],
    "layers side by side": ["(3, 10, 6 * 512), (3, 8, 10, 10), 10, 1"],
    "all layers kept": ["[6, 3, 10, 512], (3, 8, 10, 10), 10, 1"],
    "padding cut off": ["torch.zeros(3, 7, 512).shape, (3, 8, 10, 10), 10, 1"],
    "width of one head": ["(3, 10, 512 // 8), (3, 8, 10, 10), 10, 1"],
    "width between the feed-forward matrices": ["[3, 10, 2048], (3, 8, 10, 10), 10, 1"],
    "batch and positions turned": ["[10, 3, 512], (3, 8, 10, 10), 10, 1"],
    "batch left out": ["[10, 512], (3, 8, 10, 10), 10, 1"],
    "weights for real tokens only": ["(3, 10, 512), [3, 8, 7, 7], 10, 1"],
    "hidden keys cut off": [
        "(3, 10, 512), [3, 8, 10, 7], 10, 1",
        "(3, 10, 512), [3, 8, 7, 10], 10, 1",
    ],
    "heads left out of the weights": ["(3, 10, 512), [3, 10, 10], 10, 1"],
    "batch left out of the weights": ["(3, 10, 512), [8, 10, 10], 10, 1"],
    "heads' outputs as weights": ["(3, 10, 512), [3, 8, 10, 64], 10, 1"],
    "output as weights": ["(3, 10, 512), [3, 10, 512], 10, 1"],
    "features by features": ["(3, 10, 512), [3, 8, 64, 64], 10, 1"],
    "heads in the wrong place": ["(3, 10, 512), [3, 10, 10, 8], 10, 1"],
    "layers in the weights": ["(3, 10, 512), [6, 3, 8, 10, 10], 10, 1"],
    "word changes itself alone": ["(3, 10, 512), (3, 8, 10, 10), 1, 1"],
    "word changes real positions only": [
        "(3, 10, 512), (3, 8, 10, 10), 7, 1",
        "(3, 10, 512), (3, 8, 10, 10), 10 - 3, 1",
    ],
    "word changes the others only": ["(3, 10, 512), (3, 8, 10, 10), 9, 1"],
    "word changes the later ones": ["(3, 10, 512), (3, 8, 10, 10), 5, 1"],
    "word changes the whole batch": ["(3, 10, 512), (3, 8, 10, 10), 3 * 10, 1"],
    "padding changes nothing": ["(3, 10, 512), (3, 8, 10, 10), 10, 0"],
    "padding changes the sentence": [
        "(3, 10, 512), (3, 8, 10, 10), 10, 10",
        "(3, 10, 512), (3, 8, 10, 10), 10, 7",
    ],
    "padding changes all padding": ["(3, 10, 512), (3, 8, 10, 10), 10, 3"],
    "padding changes the whole batch": ["(3, 10, 512), (3, 8, 10, 10), 10, 30"],
}
