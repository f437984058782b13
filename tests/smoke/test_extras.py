"""Packages that the base install does not have: whatever needs one says so, with the command that installs it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.core import extras

ROOT = Path(__file__).parents[2]
SB3_COMMAND = 'pip install -c constraints.txt -e ".[sb3]"'
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({packages!r})); {rest}"
ALL_OF_THEM = ("torch", "sb3_contrib", "stable_baselines3")
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_install_command__from_a_wheel__names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "checkout", lambda: None)
    assert extras.install_command("torch") == 'pip install "winterkingdom_env[train]"'


def test_install_command__from_a_checkout__is_the_documented_one() -> None:
    assert extras.install_command("torch") == f'pip install -c constraints.txt -e ".[train]" (in {ROOT})'


def test_unpack_torch__without_torch__says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    words = np.zeros((1, 1101), np.uint32)
    with pytest.raises(ModuleNotFoundError, match=r'unpack_torch needs torch: pip install .*\[train\]"'):
        winter_kingdom_v1.unpack_torch(words)  # type: ignore[arg-type]  # nobody without torch has a tensor


@pytest.mark.parametrize("module", ["sb3_env", "sb3_networks", "maskable_ppo"])
@pytest.mark.parametrize("packages", [ALL_OF_THEM, ALL_OF_THEM[1:]], ids=["nothing", "torch alone"])
def test_sb3__without_the_package__names_its_extra(module: str, packages: tuple[str, ...]) -> None:
    program = WITHOUT.format(packages=packages, rest=f"import training.{module}")
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert f"MissingExtraError: training.{module} needs sb3_contrib: {SB3_COMMAND}" in last


def test_train_sb3__without_the_package__names_its_extra() -> None:
    rest = (
        "from winterkingdom_env.cli.commands import main; sys.argv[1:] = ['train', 'sb3', '--help']; sys.exit(main())"
    )
    program = WITHOUT.format(packages=ALL_OF_THEM, rest=rest)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and SB3_COMMAND in done.stderr and "Traceback" not in done.stderr


def test_docs__table_of_extras__is_what_pyproject_has() -> None:
    page = (ROOT / "docs" / "install.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE))
    assert rows.keys() == EXTRAS.keys()
    for name, packages in EXTRAS.items():
        for package in packages:
            base, _, inner = package.partition("[")
            wanted = inner.rstrip("]").split(",") if base == "winterkingdom_env" else [re.split(r"[<>=,]", package)[0]]
            missing = [each for each in wanted if f"`{each}`" not in rows[name]]
            assert not missing, f"docs/install.md, {name}: {missing}"
