"""``python -m tests.matrix``: what `make test` cannot ask, in virtual environments of their own.

The wheel, and the wheel built from the source distribution, on every Python of 3.11, 3.12 and 3.13 that runs here; the lowest versions that
pyproject.toml allows; an editable install from a folder with an unrelated ``agents/``; the documentation site with warnings as errors.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
PARTS = ("wheel", "sdist", "lowest", "editable", "docs")
NEED_A_CHECKOUT = (
    "api/test_maskable_ppo",
    "house/test_example_commands",
    "house/test_splits",
    "house/test_example_cache",
)
SITE_TESTS = "navigation or site_links or command_line or docstrings"
README_PROGRAM = re.compile(r"```python\n(.*?)```\n```text\n(.*?)```", re.DOTALL)
AGAINST_PLANNER = """
import gymnasium, winterkingdom_env
env = gymnasium.make("WinterKingdom-v1", opponents="planner")
observation, info = env.reset(seed=1)
done = False
while not done:
    action = env.unwrapped.action_masks().nonzero()[0][0]
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
envs = gymnasium.make_vec("WinterKingdom-v1", 4, opponents="greedy")
envs.reset(seed=1)
print("reward", reward)
"""


class FailedError(Exception):
    """A command ended otherwise than it should."""


def run(*command: str | Path, cwd: Path, expect: int = 0, cache: Path | None = None) -> str:
    """What a command prints; FailedError if its exit code is not the one expected."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    if cache is not None:
        environment["XDG_CACHE_HOME"] = str(cache)
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != expect:
        shown = " ".join(str(part) for part in command)[:300]
        raise FailedError(
            f"{shown}\nended with {done.returncode}, not {expect}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        )
    return done.stdout + done.stderr


def find_pythons() -> dict[str, Path]:
    """Every Python of PYTHONS that really runs: on the path, or installed by pyenv."""
    found = {}
    for version in PYTHONS:
        places = [shutil.which(f"python{version}") or ""]
        pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        places += [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python{version}"))]
        for place in filter(None, places):
            asked = [place, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout.strip() == version:
                found[version] = Path(place)
                break
    return found


def lowest() -> list[str]:
    """The dependencies of the base install, of the arena and of pictures at the lowest versions that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["arena"], *extras["render"]]
    return [re.sub(r"^([\w-]+)>=([\w.]+).*$", r"\1==\2", text) for text in wanted]


def size_of(folder: Path) -> int:
    """Megabytes in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1_000_000


class Matrix:
    """The parts of the matrix, in a working folder that is removed in the end."""

    def __init__(self, work: Path, pythons: dict[str, Path]) -> None:
        """``pythons`` by version; the first one builds."""
        self.work, self.pythons = work, pythons
        self.first = next(iter(pythons))
        self.built: dict[str, Path] = {}

    def venv(self, name: str, version: str) -> Path:
        """The interpreter of a new virtual environment."""
        folder = self.work / name
        run(self.pythons[version], "-m", "venv", folder, cwd=self.work)
        return folder / "bin" / "python"

    def install(self, python: Path, *what: str | Path) -> None:
        """Install into a virtual environment."""
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, cwd=self.work)

    def build(self) -> None:
        """The source distribution, the wheel, and the wheel that the source distribution makes; both wheels hold the same."""
        python = self.venv("build-env", self.first)
        self.install(python, "build")
        out = self.work / "dist"
        run(python, "-m", "build", "--outdir", out, ROOT, cwd=self.work)  # the wheel is made from the sdist
        (sdist,) = out.glob("*.tar.gz")
        (from_sdist,) = out.glob("*.whl")
        direct = self.work / "direct"
        run(python, "-m", "build", "--wheel", "--outdir", direct, ROOT, cwd=self.work)
        (wheel,) = direct.glob("*.whl")
        if digests(wheel) != digests(from_sdist):
            raise FailedError(f"{wheel.name} and the wheel from {sdist.name} hold different files")
        self.built = {"wheel": wheel, "sdist": from_sdist}
        sizes = f"wheel {wheel.stat().st_size // 1000} kB, sdist {sdist.stat().st_size // 1000} kB"
        print(f"built {wheel.name}: {sizes}; the wheel from the sdist holds the same files", flush=True)

    def part_wheel(self) -> Iterator[str]:
        """The wheel alone, on every Python."""
        yield from self._from("wheel")

    def part_sdist(self) -> Iterator[str]:
        """The wheel from the source distribution, on every Python."""
        yield from self._from("sdist")

    def _from(self, kind: str) -> Iterator[str]:
        for version in self.pythons:
            python = self.venv(f"{kind}-{version}", version)
            self.install(python, self.built[kind])
            run(python, "-m", "pip", "check", cwd=self.work)
            size = size_of(python.parents[1])
            words = self.first_hour(python, self.work / f"cache-{version}")
            yield f"{kind} on Python {version}: {words}; the environment has {size} MB"

    def part_lowest(self) -> Iterator[str]:
        """The lowest versions of everything, with the tests of the environments' interfaces."""
        version, pins = self.first, lowest()
        python = self.venv("lowest", version)
        self.install(python, self.built["wheel"], *pins)
        words = self.first_hour(python, self.work / "cache-lowest")
        self.install(python, "pytest>=9", "pytest-timeout", "pytest-xdist", "hypothesis", *pins)
        place = self.work / "lowest-tests"
        for folder in ("tests", "agents", "benchmarks", "examples"):  # and not the package: the wheel has it
            shutil.copytree(ROOT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", place)
        told = run(
            python, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-W", "default", "tests/api", "tests/house",
            *(f"--ignore=tests/{name}.py" for name in NEED_A_CHECKOUT),
            cwd=place, cache=self.work / "cache-lowest",
        )  # fmt: skip
        yield f"lowest versions ({', '.join(pins)}) on Python {version}: {words}; {told.strip().splitlines()[-1]}"

    def part_editable(self) -> Iterator[str]:
        """pip install -e of a copy: every command from another folder, with an unrelated agents/ beside."""
        python = self.venv("editable", self.first)
        copy = self.work / "copy"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "runs", "demo", "ladder", "site")
        )
        self.install(python, "-e", f"{copy}[arena]")
        words = self.first_hour(python, self.work / f"cache-{self.first}", is_checkout=True)
        yield f"pip install -e on Python {self.first}: {words}"

    def part_docs(self) -> Iterator[str]:
        """The documentation site, where a warning is an error, and its tests; `make test` skips those that need mkdocs."""
        python = self.venv("docs", self.first)
        self.install(python, "-c", ROOT / "constraints.txt", f"{ROOT}[docs]", "pytest>=9", "pytest-timeout")
        run(python, "-m", "mkdocs", "build", "--strict", "--site-dir", self.work / "site", cwd=ROOT)
        told = run(
            python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SITE_TESTS, "tests/smoke/test_docs.py",
            cwd=ROOT, cache=self.work / f"cache-{self.first}",
        )  # fmt: skip
        last = told.strip().splitlines()[-1]
        if "skipped" in last:
            raise FailedError(f"tests of the site were skipped:\n{told}")
        yield f"docs: {len(list((self.work / 'site').rglob('*.html')))} pages without a warning; {last}"

    def first_hour(self, python: Path, cache: Path, is_checkout: bool = False) -> str:
        """The first steps of a new user, in a folder that holds an unrelated agents/; what was seen."""
        cache.mkdir(mode=0o700, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=self.work))
        for name in ("agents", "training", "benchmarks"):
            (place / name).mkdir()
            (place / name / "__init__.py").write_text("raise ImportError('an unrelated package')\n")
        command = python.with_name("winterkingdom")
        start = time.monotonic()
        found = README_PROGRAM.search((ROOT / "README.md").read_text(encoding="utf-8"))
        assert found is not None
        (place / "first.py").write_text(found[1])
        printed = run(python, "first.py", cwd=place, cache=cache)
        if found[2] not in printed:
            raise FailedError(f"the README's first program printed:\n{printed}\nnot:\n{found[2]}")
        run(command, "play", "--agents", "planner,planner", "--seed", "7", cwd=place, cache=cache)
        (place / "against.py").write_text(AGAINST_PLANNER)
        run(python, "against.py", cwd=place, cache=cache)
        run(command, "check", "policy", "--games", "2", cwd=place, cache=cache)
        if is_checkout:
            played = ("--games", "4", "--seed", "1", "--out", "out", "--report", "report")
            run(command, "arena", "random", "greedy", *played, cwd=place, cache=cache)
            run(command, "bench", "stepping", "--quick", cwd=place, cache=cache)
            told = run(command, "train", "--help", cwd=place, cache=cache, expect=1)
            _need('pip install -c constraints.txt -e ".[train]"', told)
        else:
            for room in ("arena", "train", "bench"):
                _need("pip install -e", run(command, room, "--help", cwd=place, cache=cache, expect=2))
        return f"first hour in {time.monotonic() - start:.0f} s"


def _need(words: str, told: str) -> None:
    if words not in told:
        raise FailedError(f"{words!r} is not in:\n{told}")


def digests(wheel: Path) -> dict[str, str]:
    """Every file of a wheel by its digest."""
    with zipfile.ZipFile(wheel) as files:
        return {name: hashlib.sha256(files.read(name)).hexdigest() for name in sorted(files.namelist())}


def main() -> int:
    """Run the parts that were named, or all; 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; none: all")
    named = parser.parse_args().parts
    if unknown := set(named) - set(PARTS):
        parser.error(f"{', '.join(unknown)}: no such part; there are: {', '.join(PARTS)}")
    pythons = find_pythons()
    if not pythons:
        parser.error(f"none of Python {', '.join(PYTHONS)} runs here")
    print(f"Pythons: {', '.join(pythons)}; not here: {', '.join(set(PYTHONS) - set(pythons)) or 'none'}", flush=True)
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
        matrix = Matrix(Path(folder), pythons)
        matrix.build()
        for part in named or PARTS:
            try:
                for words in getattr(matrix, f"part_{part}")():
                    print(words, flush=True)
            except FailedError as error:
                n_failed += 1
                print(f"FAILED {part}: {error}", flush=True)
    print(f"{len(named or PARTS) - n_failed} of {len(named or PARTS)} parts passed")
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
