"""What all tests share: the same number of threads as the stored outputs.

Set before any test imports torch, and inherited by every kernel that nbval starts.
Shapes in signatures are checked by jaxtyping's pytest option, in pyproject.toml.
"""

import nbfiles

nbfiles.fix_threads()
