"""Answers to 16.1, a checkpoint from which a training goes on as if never stopped."""


def two(save: str, load: str, first: str = "import copy") -> str:
    def body(text: str) -> str:
        return "".join(f"    {x}\n" if x else "\n" for x in text.splitlines())

    return (
        f"{first}\n\ndef save(trainer):\n{body(save)}\n"
        f"def load(trainer, saved):\n{body(load)}"
    )


SAVE = """return copy.deepcopy([
    trainer.model.state_dict(),
    trainer.optimizer.state_dict(),
    trainer.generator.get_state(),
    trainer.order,
    trainer.steps,
])"""


def lines(
    order: str = "trainer.order = list(o)",
    steps: str = "trainer.steps = n",
    random: str = "trainer.generator.set_state(g)",
    optimizer: str = "trainer.optimizer.load_state_dict(a)",
    model: str = "trainer.model.load_state_dict(m)",
    unpack: str = "m, a, g, o, n = copy.deepcopy(saved)",
    save: str = SAVE,
) -> str:
    """All five parts, with one line or another replaced."""
    return two(save, "\n".join((unpack, model, optimizer, random, order, steps)))


RIGHT = {
    "five parts": lines(),
    "the whole trainer": two(
        "return copy.deepcopy(trainer)",
        "vars(trainer).update(vars(copy.deepcopy(saved)))",
    ),
    "its attributes": two(
        "return copy.deepcopy(trainer.__dict__)",
        "for name, value in copy.deepcopy(saved).items():\n"
        "    setattr(trainer, name, value)",
    ),
    "a file": two(
        """file = os.path.join(tempfile.mkdtemp(), "checkpoint.pt")
torch.save({
    "model": trainer.model.state_dict(),
    "optimizer": trainer.optimizer.state_dict(),
    "rng": trainer.generator.get_state(),
    "order": trainer.order,
    "steps": trainer.steps,
}, file)
return file""",
        """parts = torch.load(file := saved, weights_only=True)
trainer.model.load_state_dict(parts["model"])
trainer.optimizer.load_state_dict(parts["optimizer"])
trainer.generator.set_state(parts["rng"])
trainer.order, trainer.steps = parts["order"], parts["steps"]""",
        "import os\nimport tempfile",
    ),
    "pickled": two(
        """return pickle.dumps((
    trainer.model.state_dict(),
    trainer.optimizer.state_dict(),
    trainer.generator.get_state().tolist(),
    trainer.order,
    trainer.steps,
))""",
        """m, a, g, trainer.order, trainer.steps = pickle.loads(saved)
trainer.generator.set_state(torch.tensor(g, dtype=torch.uint8))
trainer.model.load_state_dict(m)
trainer.optimizer.load_state_dict(a)""",
        "import pickle",
    ),
    "a class of its own": two(
        """class Checkpoint:
    pass

c = Checkpoint()
c.weight = trainer.model.weight.detach().clone()
c.optimizer = copy.deepcopy(trainer.optimizer.state_dict())
c.state = trainer.generator.get_state()
c.order = trainer.order[:]
c.steps = trainer.steps
return c""",
        """with torch.no_grad():
    trainer.model.weight.copy_(saved.weight)
trainer.optimizer.load_state_dict(copy.deepcopy(saved.optimizer))
trainer.generator.set_state(saved.state)
trainer.order = saved.order[:]
trainer.steps = saved.steps""",
    ),
    "order in place": lines(order="trainer.order[:] = o"),
}

WRONG = {
    "nothing saved": two("pass", "pass"),
    "loads nothing": two(SAVE, "copy.deepcopy(saved)"),
    "another generator kept": lines(
        random="torch.random.manual_seed(1)\nnew = torch.Generator()\nnew.set_state(g)"
    ),
    "global random state": lines(
        save=SAVE.replace("trainer.generator.get_state()", "torch.get_rng_state()"),
        random="torch.set_rng_state(g)",
    ),
    "state after one more step": lines(save="trainer.step()\n" + SAVE),
    "weights rounded": lines(
        model="trainer.model.load_state_dict({k: v.round() for k, v in m.items()})"
    ),
    "averages exchanged": lines(
        optimizer="""trainer.optimizer.load_state_dict(a)
for x in trainer.optimizer.state.values():
    if "exp_avg" in x:
        x["exp_avg"], x["exp_avg_sq"] = x["exp_avg_sq"], x["exp_avg"].abs()"""
    ),
    "raises": lines(model="trainer.model.load_state_dict(a)"),
    "a name that is missing": lines(order="trainer.rows = o"),
}

SPELLINGS = {
    "weights alone": [
        two(
            "return copy.deepcopy(trainer.model.state_dict())",
            "trainer.model.load_state_dict(saved)",
        ),
        two(
            "return trainer.model.weight.detach().clone()",
            "trainer.model.weight.data = saved.clone()",
        ),
    ],
    "weights forgotten": [lines(model="")],
    "optimizer's state forgotten": [
        lines(optimizer=""),
        lines(
            optimizer="trainer.optimizer.param_groups = trainer.optimizer.param_groups"
        ),
    ],
    "random state forgotten": [lines(random="trainer.generator = trainer.generator")],
    "generator seeded anew": [
        lines(random="trainer.generator = torch.Generator().manual_seed(0)")
    ],
    "place in the data forgotten": [lines(order="")],
    "epoch started anew": [lines(order="trainer.order.clear()")],
    "order turned around": [lines(order="trainer.order = list(reversed(o))")],
    "order sorted": [lines(order="trainer.order = sorted(o)")],
    "count of steps forgotten": [lines(steps="")],
    "one step too many": [lines(steps="trainer.steps = 1 + n")],
    "saved by reference": [
        lines(save=SAVE.replace("copy.deepcopy([", "([").replace("])", "])")),
    ],
    "order saved by reference": [
        lines(
            save=SAVE.replace("    trainer.order,\n    trainer.steps,\n])", "])")
            + " + [trainer.order, trainer.steps]"
        )
    ],
    "order loaded by reference": [
        lines(
            unpack="m, a, g, _, n = copy.deepcopy(saved)\no = saved[3]",
            order="trainer.order = o",
        )
    ],
    "loaded by reference": [
        lines(unpack="m, a, g, o, n = saved", order="trainer.order = o")
    ],
    "weights in a new model": [
        lines(
            model="trainer.model = nn.Linear(3, 1, bias=False)\n"
            "trainer.model.load_state_dict(m)"
        )
    ],
}
