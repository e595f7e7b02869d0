"""What the benchmarks recorded goes along with the package, as tt_utils/results."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["tt_utils*"]), "tt_utils.results"],
    package_dir={"tt_utils.results": "benchmarks/results"},
)
