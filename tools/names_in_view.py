"""No number from out of sight: cells in view use no name that only folded code defines.

Imports may be folded, since they say nothing of how a number comes about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import nbfiles


def names(source: str) -> tuple[set[str], set[str], set[str]]:
    """What a cell uses without defining it, what it defines, and what it imports."""
    used, defined, imported = set(), set(), set()
    for node in ast.walk(ast.parse(nbfiles.plain(source))):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported |= {(x.asname or x.name).split(".")[0] for x in node.names}
    return used - defined - imported, defined, imported


def problems(notebook) -> Iterator[tuple[int, str]]:
    """Each cell in view with the folded names that it uses."""
    folded, in_view = set(), set()
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        used, defined, imported = names(cell.source)
        in_view |= imported
        if nbfiles.is_folded(cell):
            folded |= defined
            continue
        if hidden := sorted(used & (folded - in_view)):
            yield (
                index,
                f"is in view and uses {', '.join(hidden)}, which only folded cells"
                " define; define it in view, or fold this cell too",
            )
        in_view |= defined
