"""Answers to 16.3, a step in fp16 whose calls stood in the wrong order."""


def written(body: str) -> str:
    lines = "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())
    return f"def amp_step(model, optimizer, scaler, x):\n{lines}"


CLIP = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"


def calls(*middle: str, clear: str = "optimizer.zero_grad()", last: str = "") -> str:
    """The given calls after the forward pass."""
    return written("\n".join((clear, "loss = model(x)", *middle, last)))


BACK = "scaler.scale(loss).backward()"
UNSCALE, STEP, UPDATE = (
    "scaler.unscale_(optimizer)",
    "scaler.step(optimizer)",
    "scaler.update()",
)

RIGHT = {
    "mended": calls(BACK, UNSCALE, CLIP, STEP, UPDATE),
    "cleared last": calls(
        BACK, UNSCALE, CLIP, STEP, UPDATE, clear="", last="optimizer.zero_grad()"
    ),
    "the model cleared": calls(
        BACK, UNSCALE, CLIP, STEP, UPDATE, clear="model.zero_grad()"
    ),
    "a scaled limit": calls(
        BACK,
        "nn.utils.clip_grad_norm_(model.parameters(), scaler.get_scale())",
        STEP,
        UPDATE,
    ),
    "length by hand": calls(
        BACK,
        UNSCALE,
        "grads = torch.cat([p.grad.flatten() for p in model.parameters()])",
        "length = grads.norm()",
        "if length > 1:",
        "    for p in model.parameters():",
        "        p.grad = p.grad / length",
        STEP,
        UPDATE,
    ),
    "named tensors": calls(
        "scaled = scaler.scale(loss)",
        "scaled.backward()",
        UNSCALE,
        "nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=1)",
        "scaler.step(optimizer)",
        UPDATE,
    ),
    "autograd": calls(
        "ps = list(model.parameters())",
        "for p, g in zip(ps, torch.autograd.grad(scaler.scale(loss), ps)):",
        "    p.grad = g",
        UNSCALE,
        CLIP,
        STEP,
        UPDATE,
    ),
    "no loop without clipping": calls(
        BACK,
        UNSCALE,
        "norm = nn.utils.get_total_norm([p.grad for p in model.parameters()])",
        "nn.utils.clip_grads_with_norm_(model.parameters(), 1.0, norm)",
        STEP,
        UPDATE,
    ),
}

WRONG = {
    "backward twice": calls(
        BACK.replace("()", "(retain_graph=True)", 1), BACK, UNSCALE, CLIP, STEP, UPDATE
    ),
    "nothing": calls("loss"),
    "half the limit": calls(BACK, UNSCALE, CLIP.replace("1.0", "0.25"), STEP, UPDATE),
    "scaled twice": calls(
        "scaler.scale(scaler.scale(loss)).backward()", UNSCALE, CLIP, STEP, UPDATE
    ),
    "uphill": calls("scaler.scale(-loss).backward()", UNSCALE, CLIP, STEP, UPDATE),
    "scale fixed": calls(BACK, UNSCALE, CLIP, STEP, "scaler.update(1024.0)"),
    "raises": calls(BACK, UNSCALE, "scaler.clip(optimizer)", STEP, UPDATE),
    "no backward": calls("scaler.scale(loss)", CLIP, STEP, UPDATE),
    "sum clipped": calls(
        BACK,
        UNSCALE,
        "nn.utils.clip_grad_norm_(model.parameters(), 1.0, norm_type=1)",
        STEP,
        UPDATE,
    ),
}

SPELLINGS = {
    "as planted": [
        calls(BACK, CLIP, UNSCALE, "optimizer.step()", UPDATE),
    ],
    "clipped before unscaling": [
        calls(BACK, CLIP, UNSCALE, STEP, UPDATE),
        calls(BACK, CLIP, STEP, UPDATE),
    ],
    "step without the scaler": [calls(BACK, UNSCALE, CLIP, "optimizer.step()", UPDATE)],
    "loss not scaled": [
        calls("scaler.scale(loss)", "loss.backward()", UNSCALE, CLIP, STEP, UPDATE)
    ],
    "no scaler at all": [
        calls("loss.backward()", CLIP, "optimizer.step()"),
    ],
    "no clipping": [calls(BACK, UNSCALE, STEP, UPDATE), calls(BACK, STEP, UPDATE)],
    "each number clipped": [
        calls(
            BACK,
            UNSCALE,
            "for p in model.parameters():",
            "    p.grad.clamp_(-1, 1)",
            STEP,
            UPDATE,
        )
    ],
    "every gradient made of length 1": [
        calls(
            BACK,
            UNSCALE,
            "for p in model.parameters():",
            "    p.grad = F.normalize(p.grad, dim=0)",
            STEP,
            UPDATE,
        )
    ],
    "scale never updated": [calls(BACK, UNSCALE, CLIP, STEP)],
    "updated before the step": [calls(BACK, UNSCALE, CLIP, UPDATE, STEP)],
    "gradients never cleared": [calls(BACK, UNSCALE, CLIP, STEP, UPDATE, clear="")],
    "cleared after the backward pass": [
        calls(BACK, "optimizer.zero_grad()", UNSCALE, CLIP, STEP, UPDATE, clear="")
    ],
    "two steps": [calls(BACK, UNSCALE, CLIP, STEP, "optimizer.step()", UPDATE)],
    "unscaled twice": [calls(BACK, UNSCALE, UNSCALE, CLIP, STEP, UPDATE)],
    "never divided": [
        calls(BACK, CLIP, "optimizer.step()", UPDATE),
        calls(BACK, CLIP, "optimizer.step()"),
    ],
    "unscaled after the step": [calls(BACK, CLIP, STEP, UNSCALE, UPDATE)],
}
