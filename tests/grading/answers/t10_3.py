"""Answers to 10.3, a residual connection whose skip was normalised."""

RIGHT = {
    "mended": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
""",
    "another name for the normalised": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        y = norm(x)
        return x + sublayer(y)
    return norm(x + sublayer(x))
""",
    "the old x kept": """
def residual(x, sublayer, norm, norm_first):
    old = x
    if norm_first:
        x = norm(x)
        return old + sublayer(x)
    return norm(x + sublayer(x))
""",
    "else": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        out = sublayer(norm(x)) + x
    else:
        out = norm(sublayer(x) + x)
    return out
""",
    "conditional expression": """
def residual(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))
""",
    "post first": """
def residual(x, sublayer, norm, norm_first):
    if not norm_first:
        return norm(x + sublayer(x))
    return x + sublayer(norm(x))
""",
    "torch.add": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return torch.add(x, sublayer(norm(x)))
    return norm(torch.add(x, sublayer(x)))
""",
    "in place on a copy": """
def residual(x, sublayer, norm, norm_first):
    out = x.clone()
    if norm_first:
        out += sublayer(norm(x))
        return out
    out += sublayer(x)
    return norm(out)
""",
    "identity for the norm that is not there": """
def residual(x, sublayer, norm, norm_first):
    nothing = torch.nn.Identity()
    before, after = (norm, nothing) if norm_first else (nothing, norm)
    return after(x + sublayer(before(x)))
""",
    "match": """
def residual(x, sublayer, norm, norm_first):
    match bool(norm_first):
        case True:
            return x + sublayer(norm(x))
        case False:
            return norm(x + sublayer(x))
""",
    "a table of two": """
def residual(x, sublayer, norm, norm_first):
    orders = {
        True: lambda: x + sublayer(norm(x)),
        False: lambda: norm(x + sublayer(x)),
    }
    return orders[norm_first]()
""",
    "einsum of ones": """
def residual(x, sublayer, norm, norm_first):
    branch = sublayer(norm(x) if norm_first else x)
    total = torch.einsum('r...->...', torch.stack([x, branch]))
    return total if norm_first else norm(total)
""",
    "difference of a negative": """
def residual(x, sublayer, norm, norm_first):
    branch = sublayer(norm(x)) if norm_first else sublayer(x)
    x = x - (-branch)
    return x if norm_first else norm(x)
""",
}

WRONG = {
    "x in place": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x += sublayer(norm(x))
        return x
    return norm(x + sublayer(x))
""",
    "x added twice": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + x + sublayer(norm(x))
    return norm(x + x + sublayer(x))
""",
    "sub-layer twice": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(sublayer(norm(x)))
    return norm(x + sublayer(x))
""",
    "half of what was normalised": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x) / 2)
    return norm(x + sublayer(x))
""",
    "multiplied": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x * sublayer(norm(x))
    return norm(x * sublayer(x))
""",
    "bare norm": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return norm
    return norm(x + sublayer(x))
""",
    "own norm": """
def residual(x, sublayer, norm, norm_first):
    n = torch.nn.functional.layer_norm
    if norm_first:
        return x + sublayer(n(x, x.shape[-1:]))
    return n(x + sublayer(x), x.shape[-1:])
""",
    "zeros": """
def residual(x, sublayer, norm, norm_first):
    return torch.zeros_like(x)
""",
    "half the branch": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + 0.5 * sublayer(norm(x))
    return norm(x + 0.5 * sublayer(x))
""",
    "no return in one branch": """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x + sublayer(norm(x))
    else:
        return norm(x + sublayer(x))
""",
}

SPELLINGS = {
    "as planted": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))
""",
        """
def residual(x, sublayer, norm, norm_first):
    y = norm(x) if norm_first else x
    out = y + sublayer(y)
    return out if norm_first else norm(out)
""",
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x) + sublayer(norm(x))
    return norm(x + sublayer(x))
""",
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
    x = x + sublayer(x)
    if not norm_first:
        x = norm(x)
    return x
""",
    ],
    "skip lost with the norm first": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return sublayer(x)
    return norm(x + sublayer(x))
""",
    ],
    "skip lost with the norm last": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    x = sublayer(x)
    return norm(x)
""",
    ],
    "skip lost in both": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(sublayer(x))
""",
    ],
    "the two orders swapped": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(x))
    return x + sublayer(norm(x))
""",
        """
def residual(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x)) if norm_first else x + sublayer(norm(x))
""",
    ],
    "always the norm last": [
        """
def residual(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x))
""",
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(x))
    return norm(x + sublayer(x))
""",
    ],
    "always the norm first": [
        """
def residual(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x))
""",
    ],
    "normalised twice with the norm first": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        y = norm(x)
        return norm(x + sublayer(y))
    return norm(x + sublayer(x))
""",
        """
def residual(x, sublayer, norm, norm_first):
    y = norm(x) if norm_first else x
    return norm(x + sublayer(y))
""",
    ],
    "normalised twice with the norm last": [
        """
def residual(x, sublayer, norm, norm_first):
    y = norm(x)
    if norm_first:
        return x + sublayer(y)
    return norm(x + sublayer(y))
""",
    ],
    "normalised twice in both": [
        """
def residual(x, sublayer, norm, norm_first):
    return norm(x + sublayer(norm(x)))
""",
    ],
    "norm of the branch after the sub-layer": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + norm(sublayer(x))
    return norm(x + sublayer(x))
""",
    ],
    "norm before the sum in the last": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(sublayer(x)) + x
""",
    ],
    "norm left out with the norm first": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))
""",
    ],
    "norm left out with the norm last": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    x = x + sublayer(x)
    norm(x)
    return x
""",
    ],
    "norm left out in both": [
        """
def residual(x, sublayer, norm, norm_first):
    return x + sublayer(x)
""",
    ],
    "side by side": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return torch.cat((x, sublayer(norm(x))), dim=-1)
    return norm(torch.cat((x, sublayer(x)), dim=-1))
""",
    ],
    "sum divided by two": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return 0.5 * (x + sublayer(norm(x)))
    return norm(0.5 * (x + sublayer(x)))
""",
    ],
    "difference": [
        """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x - sublayer(norm(x))
    return norm(x - sublayer(x))
""",
    ],
    "norm on the skip too, after as before": [
        """
def residual(x, sublayer, norm, norm_first):
    x_hat = norm(x)
    if norm_first:
        return x_hat + sublayer(x_hat)
    return norm(x_hat + sublayer(x))
""",
    ],
}
