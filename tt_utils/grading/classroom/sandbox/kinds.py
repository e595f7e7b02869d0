"""The kinds of sandbox. In bubblewrap, Docker and Podman there is no network, nothing
can be written but a small /tmp, and all processes end together."""

from typing import Literal

from tt_utils.grading.classroom.sandbox import bubblewrap, containers, other_user
from tt_utils.grading.classroom.sandbox.limits import Limits
from tt_utils.grading.classroom.sandbox.started import Started

Kind = Literal["bwrap", "docker", "podman", "container"]


def start(kind: Kind, limits: Limits) -> Started:
    """Raises OSError where the program is not there."""
    if kind == "bwrap":
        return bubblewrap.start(limits)
    if kind == "container":
        return other_user.start(limits)
    return containers.start(kind, limits)
