"""What all tests share: the environment in which outputs were stored.

Set before any test imports torch, and inherited by every kernel that nbval starts.
Shapes in signatures are checked by jaxtyping's pytest option, in pyproject.toml.
"""

import nbfiles

nbfiles.fix_environment()
