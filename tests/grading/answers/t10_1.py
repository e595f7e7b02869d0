"""Answers to 10.1, LayerNorm in NumPy."""

RIGHT = {
    "the usual": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu = x.mean(-1, keepdims=True)
    sigma2 = x.var(-1, keepdims=True)
    x_hat = (x - mu) / np.sqrt(sigma2 + eps)
    return gamma * x_hat + beta
""",
    "np functions": """
def layer_norm(x, gamma, beta, eps=1e-5):
    m = np.mean(x, axis=-1, keepdims=True)
    v = np.mean((x - m) ** 2, axis=-1, keepdims=True)
    return (x - m) / (v + eps) ** 0.5 * gamma + beta
""",
    "std squared": """
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - np.mean(x, -1, keepdims=True)
    s = np.std(x, -1, keepdims=True)
    return centred / np.sqrt(s**2 + eps) * gamma + beta
""",
    "new axis by None": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1)[..., None]
    var = x.var(axis=-1)[..., None]
    return beta + gamma * (x - mean) / np.sqrt(var + eps)
""",
    "expand_dims": """
def layer_norm(x, gamma, beta, eps=1e-5):
    last = x.ndim - 1
    mean = np.expand_dims(np.mean(x, axis=last), last)
    var = np.expand_dims(np.var(x, axis=last), last)
    return (x - mean) * (1 / np.sqrt(var + eps)) * gamma + beta
""",
    "mean of squares less square of mean": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    var = (x**2).mean(-1, keepdims=True) - mean**2
    return gamma * (x - mean) / np.sqrt(var + eps) + beta
""",
    "eps as a square under a length": """
def layer_norm(x, gamma, beta, eps=1e-5):
    c = x - x.mean(-1, keepdims=True)
    return gamma * c / np.hypot(c.std(-1, keepdims=True), math.sqrt(eps)) + beta
""",
    "row by row": """
def layer_norm(x, gamma, beta, eps=1e-5):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        rows.append((row - row.mean()) / math.sqrt(row.var() + eps) * gamma + beta)
    return np.array(rows).reshape(x.shape)
""",
    "recursion": """
def layer_norm(x, gamma, beta, eps=1e-5):
    if x.ndim > 1:
        return np.stack([layer_norm(part, gamma, beta, eps) for part in x])
    return gamma * (x - x.mean()) / (x.var() + eps) ** 0.5 + beta
""",
    "along the axis": """
def layer_norm(x, gamma, beta, eps=1e-5):
    def one(row):
        return (row - np.mean(row)) / np.sqrt(np.var(row) + eps)

    return np.apply_along_axis(one, -1, x) * gamma + beta
""",
    "a matrix that centres": """
def layer_norm(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    c = x @ (np.eye(d) - np.ones((d, d)) / d)
    var = (c * c).sum(-1, keepdims=True) / d
    return c / np.sqrt(var + eps) * gamma + beta
""",
    "torch": """
def layer_norm(x, gamma, beta, eps=1e-5):
    t = torch.nn.LayerNorm(x.shape[-1], eps=eps).double()
    with torch.no_grad():
        t.weight.copy_(torch.tensor(gamma))
        t.bias.copy_(torch.tensor(beta))
        return t(torch.tensor(x).double()).numpy()
""",
    "float32": """
def layer_norm(x, gamma, beta, eps=1e-5):
    x = x.astype(np.float32)
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return np.float32(gamma) * (x - mu) / np.sqrt(var + np.float32(eps)) + beta
""",
}

WRONG = {
    "x in place": """
def layer_norm(x, gamma, beta, eps=1e-5):
    x -= x.mean(-1, keepdims=True)
    return gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) + beta
""",
    "one gamma for all": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gamma[0] * (x - mu) / np.sqrt(var + eps) + beta[0]
""",
    "squeezed to 0 and 1": """
def layer_norm(x, gamma, beta, eps=1e-5):
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    return gamma * (x - low) / (high - low + eps) + beta
""",
    "softmax": """
def layer_norm(x, gamma, beta, eps=1e-5):
    e = np.exp(x - x.max(-1, keepdims=True))
    return gamma * e / e.sum(-1, keepdims=True) + beta
""",
    "rounded": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return np.round(gamma * (x - mu) / np.sqrt(var + eps) + beta, 3)
""",
    "median": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = np.median(x, -1, keepdims=True), x.var(-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta
""",
    "eps squared": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + eps**2) + beta
""",
    "gamma below the line": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mu) / (gamma * np.sqrt(var + eps)) + beta
""",
    "the row added again": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return x + gamma * (x - mu) / np.sqrt(var + eps) + beta
""",
    "None": """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    out = gamma * (x - mu) / np.sqrt(var + eps) + beta
""",
}

SPELLINGS = {
    "over the batch": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(0), x.var(0)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    m = np.mean(x, axis=0)
    s = np.sqrt(np.mean((x - m) ** 2, axis=0) + eps)
    return (x - m) / s * gamma + beta
""",
    ],
    "several positions together": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    x_hat = (x - np.mean(x)) / np.sqrt(np.mean((x - np.mean(x)) ** 2) + eps)
    return x_hat * gamma + beta
""",
    ],
    "second axis counted from the front": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu = np.mean(x, 1, keepdims=True)
    var = np.var(x, 1, keepdims=True)
    return (x - mu) / np.sqrt(var + eps) * gamma + beta
""",
    ],
    "divided by d less 1": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu = x.mean(-1, keepdims=True)
    sd = x.std(-1, ddof=1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(sd**2 + eps) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    t = torch.tensor(x).double()
    out = (t - t.mean(-1, True)) / (t.var(-1, keepdim=True) + eps).sqrt()
    return gamma * out.numpy() + beta
""",
    ],
    "eps outside the root": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, sd = x.mean(-1, keepdims=True), x.std(-1, keepdims=True)
    return gamma * (x - mu) / (sd + eps) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    c = x - x.mean(-1, keepdims=True)
    return c / (np.sqrt((c**2).mean(-1, keepdims=True)) + eps) * gamma + beta
""",
    ],
    "eps left out": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, sd = x.mean(-1, keepdims=True), x.std(-1, keepdims=True)
    return gamma * (x - mu) / sd + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True)) * gamma + beta
""",
    ],
    "eps of your own": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + 0.00001) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, sd = x.mean(-1, keepdims=True), x.std(-1, keepdims=True)
    return gamma * (x - mu) / np.maximum(sd, 1e-12) + beta
""",
    ],
    "variance instead of its root": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gamma * ((x - mu) / (var + eps)) + beta
""",
    ],
    "not divided": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) + beta
""",
    ],
    "mean kept": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * x / np.sqrt(x.var(-1, keepdims=True) + eps) + beta
""",
    ],
    "mean square instead of variance": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    rms = np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
    return gamma * x / rms + beta
""",
    ],
    "squares added, not averaged": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    c = x - x.mean(-1, keepdims=True)
    return gamma * c / np.sqrt(np.sum(c**2, -1, keepdims=True) + eps) + beta
""",
    ],
    "gamma left out": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mu) / np.sqrt(var + eps) + beta
""",
    ],
    "beta left out": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mu) / np.sqrt(var + eps) * gamma
""",
    ],
    "gamma and beta swapped": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return beta * (x - mu) / np.sqrt(var + eps) + gamma
""",
    ],
    "beta stretched too": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    x_hat = (x - mu) / np.sqrt(var + eps)
    return (x_hat + beta) * gamma
""",
    ],
    "keepdims missing": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    mu = np.mean(x, axis=-1)
    var = np.var(x, axis=-1)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta
""",
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    x_hat = (x - x.mean(-1)) / (x.std(-1) ** 2 + eps) ** 0.5
    return x_hat * gamma + beta
""",
    ],
    "result of whole numbers": [
        """
def layer_norm(x, gamma, beta, eps=1e-5):
    out = np.zeros_like(x)
    for at in np.ndindex(x.shape[:-1]):
        row = x[at]
        out[at] = gamma * (row - row.mean()) / np.sqrt(row.var() + eps) + beta
    return out
""",
    ],
}
