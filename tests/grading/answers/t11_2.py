"""Answers to 11.2, a test that padding does not matter."""

RIGHT = {
    "three calls": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "largest difference": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return max((a - b).abs().max(), (a - c).abs().max()).item() < 1e-4
""",
    "a tensor of truth": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return ((a - b).abs() < 1e-4).all() & ((a - c).abs() < 1e-4).all()
""",
    "where for the pads": """
def ignores_padding(encoder, x, mask):
    y = torch.where(mask.unsqueeze(-1), x, 3 * torch.ones_like(x))
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "scaled and shifted": """
def ignores_padding(encoder, x, mask):
    y = torch.where(mask.unsqueeze(-1), x, 2 * x + 1)
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "both changes one after the other": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([y, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "a fourth call with noise": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    d = encoder(x + ~mask[..., None] * torch.randn_like(x), mask)[mask]
    return all(torch.allclose(a, r, atol=1e-4) for r in (b, c, d))
""",
    "sentence by sentence": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    old, new, long = encoder(x, mask), encoder(y, mask), encoder(z, m)
    for i, n in enumerate(mask.sum(1).tolist()):
        for other in (new, long):
            if (old[i, :n] - other[i, :n]).abs().max() > 1e-4:
                return False
    return True
""",
    "assert": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    try:
        torch.testing.assert_close(b, a, rtol=0, atol=1e-4)
        torch.testing.assert_close(c, a, rtol=0, atol=1e-4)
    except AssertionError:
        return False
    return True
""",
    "NumPy compares": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    a, b, c = a.numpy(), b.numpy(), c.numpy()
    return np.allclose(a, b, atol=1e-4) and np.allclose(a, c, atol=1e-4)
""",
    "NaN taken out": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    keep = mask[..., None]
    a = encoder(x, mask).masked_fill(~keep, 0)
    b = encoder(y, mask).masked_fill(~keep, 0)
    c = encoder(z, m)[:, : x.shape[1]].masked_fill(~keep, 0)
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "new tensors": """
def ignores_padding(encoder, x, mask):
    y = torch.full_like(x, 4.0)
    y[mask] = x[mask]
    z = torch.full((len(x), x.shape[1] + 3, x.shape[2]), -2.0)
    z[:, : x.shape[1]] = x
    m = torch.zeros(z.shape[:2], dtype=torch.bool)
    m[:, : x.shape[1]] = mask
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
}

WRONG = {
    "x in place": """
def ignores_padding(encoder, x, mask):
    a = encoder(x, mask)[mask]
    x[~mask] = torch.randn(x.shape[-1])
    y = x
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "runs twice": """
def ignores_padding(encoder, x, mask):
    return torch.allclose(encoder(x, mask)[mask], encoder(x, mask)[mask])
""",
    "shape only": """
def ignores_padding(encoder, x, mask):
    return encoder(x, mask).shape == x.shape
""",
    "finite": """
def ignores_padding(encoder, x, mask):
    return bool(encoder(x, mask).isfinite().all())
""",
    "the word is the input's": """
def ignores_padding(encoder, x, mask):
    return bool(torch.allclose(encoder(x, mask)[mask], x[mask]))
""",
    "numbers instead of truth": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return float((a - b).abs().max())
""",
    "appended in front": """
def ignores_padding(encoder, x, mask):
    z = torch.cat([torch.rand(len(x), 3, x.shape[-1]), x], 1)
    m = torch.cat([torch.zeros(len(x), 3).bool(), mask], 1)
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, mask)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "short mask for the long batch": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, mask)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "asserts and returns nothing": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    assert torch.allclose(a, b, atol=1e-4)
    assert torch.allclose(a, c, atol=1e-4)
""",
    "padded positions must be zero": """
def ignores_padding(encoder, x, mask):
    return bool((encoder(x, mask)[~mask] == 0).all())
""",
    "last real token forgotten": """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    n = mask.sum(1).min() - 1
    a, b, c = (encoder(*p)[:, :n] for p in ((x, mask), (y, mask), (z, m)))
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    "text": """
def ignores_padding(encoder, x, mask):
    return 'yes'
""",
    "compared with other padding only, zeros against zeros": """
def ignores_padding(encoder, x, mask):
    y = x * mask[..., None]
    z = torch.nn.functional.pad(y, (0, 0, 0, 3))
    m = torch.nn.functional.pad(mask, (0, 3))
    a, b, c = encoder(y, mask)[mask], encoder(y, mask)[mask], encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
}

SPELLINGS = {
    "padded positions compared too": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a, b = encoder(x, mask), encoder(y, mask)
    c = encoder(z, m)[:, :-3]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "padded positions compared alone": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    hidden = ~mask
    a, b = encoder(x, mask)[hidden], encoder(y, mask)[hidden]
    c = encoder(z, m)[:, : x.shape[1]][hidden]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "a change that is none": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = 0
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
        """
def ignores_padding(encoder, x, mask):
    y = x.masked_fill(~mask[..., None], 0)
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
        """
def ignores_padding(encoder, x, mask):
    y = x * mask.unsqueeze(-1)
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "nothing appended": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    a, b = encoder(x, mask)[mask], encoder(y, mask)[mask]
    return torch.allclose(a, b, atol=1e-4)
""",
        """
def ignores_padding(encoder, x, mask):
    y = torch.where(mask[..., None], x, torch.rand_like(x))
    return bool((encoder(x, mask) - encoder(y, mask))[mask].abs().max() < 1e-4)
""",
    ],
    "nothing replaced": [
        """
def ignores_padding(encoder, x, mask):
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a, c = encoder(x, mask)[mask], encoder(z, m)[m]
    return torch.allclose(a, c, atol=1e-4)
""",
    ],
    "equal to the last digit": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.equal(a, b) and torch.equal(a, c)
""",
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return bool((a == b).all() and (a == c).all())
""",
    ],
    "too forgiving": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=0.1) and torch.allclose(a, c, atol=0.1)
""",
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return bool((a - b).abs().max() < 0.05 and (a - c).abs().max() < 0.05)
""",
    ],
    "first sentence only": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    n = int(mask[0].sum())
    a, b, c = (encoder(*p)[0, :n] for p in ((x, mask), (y, mask), (z, m)))
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "first token only": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a, b, c = (encoder(*p)[:, 0] for p in ((x, mask), (y, mask), (z, m)))
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "answer upside down": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return not (torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4))
""",
    ],
    "right encoders turned down": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    full, more = mask | True, m | True
    a, b = encoder(x, full)[mask], encoder(y, full)[mask]
    c = encoder(z, more)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "appended as real tokens": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    m[:, -3:] = True
    a, b = encoder(x, mask)[mask], encoder(y, mask)[mask]
    c = encoder(z, m)[:, :-3][mask]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "real tokens changed": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "multiplied instead of chosen": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    keep = mask[..., None].float()
    a, b = encoder(x, mask) * keep, encoder(y, mask) * keep
    c = encoder(z, m)[:, :-3] * keep
    return torch.allclose(a, b, atol=1e-4) and torch.allclose(a, c, atol=1e-4)
""",
    ],
    "differences that cancel": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return bool(abs((a - b).sum()) < 1e-4 and abs((a - c).sum()) < 1e-4)
""",
    ],
    "always yes": [
        """
def ignores_padding(encoder, x, mask):
    return True
""",
    ],
    "always no": [
        """
def ignores_padding(encoder, x, mask):
    return False
""",
    ],
    "one of the two is enough": [
        """
def ignores_padding(encoder, x, mask):
    y = x.clone()
    y[~mask] = torch.randn(x.shape[-1])
    z = torch.cat([x, torch.rand(len(x), 3, x.shape[-1])], 1)
    m = torch.cat([mask, torch.zeros(len(x), 3).bool()], 1)
    a = encoder(x, mask)[mask]
    b = encoder(y, mask)[mask]
    c = encoder(z, m)[m]
    return torch.allclose(a, b, atol=1e-4) or torch.allclose(a, c, atol=1e-4)
""",
    ],
}
