"""Imports point one way, and nothing outside a game's own rooms says its name or assumes its shape."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from winterkingdom_env.games import GAMES

ROOT = Path(__file__).parents[2]
PACKAGE = "winterkingdom_env"
THIN = re.compile(rf"({'|'.join(GAMES)})_v\d+")  # modules of the package that users import: winter_kingdom_v0

# --- rooms ------------------------------------------------------------------------------------------------------------

COMMAND_LINE = ("cli", "__main__")
RECORDS = ("records", "_record_format", "_record_lines", "_record_writer")
WITHOUT_GAME_NAMES = ("core", "search", "envs", "render", "records", "web", "cli", "agents", "training", "benchmarks")


def room_of(module: str) -> str:
    """The room of a module of this repository: "core", "games", "games/dominion", "reference/dominion", "positions/dominion", ..."""
    parts = module.split(".")
    if parts[0] != PACKAGE:
        is_positions = parts[:2] == ["benchmarks", "positions"] and len(parts) > 2
        return f"positions/{parts[2]}" if is_positions and parts[2] in GAMES else parts[0]
    if len(parts) == 1:
        return "package"
    name = parts[1]
    if name in ("games", "reference"):
        return f"{name}/{parts[2]}" if len(parts) > 2 and parts[2] in GAMES else name
    if THIN.fullmatch(name):
        return f"thin/{THIN.fullmatch(name)[1]}"  # type: ignore[index]  # it matches
    return "cli" if name in COMMAND_LINE else "records" if name in RECORDS else name


def allowed_for(room: str) -> set[str]:
    """The rooms from which a room may import, itself included."""
    kind, _, game = room.partition("/")
    below = {
        "core": [],
        "games": ["core"] if not game else ["core", "games"],
        "reference": [],  # and the game's tables: see below
        "search": ["core", "games"],
        "render": ["core", "games", "search"],
        "records": ["core", "games", "search"],
        "envs": ["core", "games", "search", "render", "records"],
        "package": ["core", "envs", "package"],
        "thin": ["core", "games", "search", "envs", "render", "records", f"games/{game}"],
        "web": ["core", "games", "search", "render", "records"],
        "cli": ["core", "games", "search", "envs", "render", "records", "web", "package"],
    }
    package = ["core", "games", "search", "envs", "render", "records", "web", "cli", "package"]
    below["agents"] = package
    below["training"] = [*package, "agents"]
    below["benchmarks"] = [*package, "agents"]
    below["positions"] = ["core", "games", "benchmarks", f"games/{game}", f"reference/{game}"]
    return {room, *below[kind]}


# Single imports that the rooms do not allow, each with its reason.
EXCEPTIONS = {
    ("training", "benchmarks.report"): "a run keeps the facts about its machine, which reports of benchmarks hold, too",
    ("training", "benchmarks.plot"): "pictures of runs and of benchmarks are drawn in one style",
}


@cache
def modules() -> dict[str, Path]:
    """Every module that the rules are about, by its dotted name."""
    found = {}
    for folder in (PACKAGE, "agents", "training", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(path: Path) -> Iterator[str]:
    """The modules of this repository that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in modules() else str(node.module) for name in inner]
        yield from (name for name in names if name.split(".")[0] in (PACKAGE, "agents", "training", "benchmarks"))


# --- imports ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("architecture, direction of imports")
@pytest.mark.parametrize("room", sorted({room_of(module) for module in modules()}))
def test_imports__point_one_way(room: str) -> None:
    wrong = []
    for module in (module for module in modules() if room_of(module) == room):
        for name in imports_of(modules()[module]):
            # The reference reads what the cards say, and nothing else: not how kernels carry it out.
            game = f"{PACKAGE}.games.{room.rsplit('/', maxsplit=1)[-1]}"
            is_tables = room.startswith("reference/") and name in (f"{game}.tables", f"{game}.house")
            if not (room_of(name) in allowed_for(room) or (room, name) in EXCEPTIONS or is_tables):
                wrong.append(f"{module} imports {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.rule("architecture, direction of imports")
def test_rooms__are_told_apart() -> None:
    game = next(iter(GAMES))
    for module, room in (
        (f"{PACKAGE}.games", "games"),
        (f"{PACKAGE}.games.contract", "games"),
        (f"{PACKAGE}.games.{game}", f"games/{game}"),
        (f"{PACKAGE}.games.{game}.legal", f"games/{game}"),
        (f"{PACKAGE}.reference.{game}.game", f"reference/{game}"),
        (f"{PACKAGE}.{game}_{GAMES[game]}", f"thin/{game}"),
        ("benchmarks.positions", "benchmarks"),
        (f"benchmarks.positions.{game}", f"positions/{game}"),
    ):
        assert module in modules() and room_of(module) == room
    assert {room_of(module).partition("/")[0] for module in modules()} >= {*WITHOUT_GAME_NAMES, "games", "reference"}
    assert "games/another" not in allowed_for(f"games/{game}") and f"games/{game}" not in allowed_for("search")


# --- names and shapes -------------------------------------------------------------------------------------------------

NAMES = ("(?i:winter[ _]kingdom)", "WinterKingdom", "(?i:kingdom[ _]builder)", "KingdomBuilder", "(?i:dominion)")
NOUNS = (
    "house", "houses", "fort", "forts", "castle", "castles", "hex", "hexes", "terrain", "terrains", "twist", "twists", "economy", "economies",
    "scoring", "scorings", "ability", "abilities", "tunnel", "coin", "coins", "settlement", "settlements", "treasure", "treasures", "curse", "curses",
)  # fmt: skip
SHAPES = (r"\b427\b", r"\b1[,_]?409\b", r"[(\[]2, 3, 4[)\]]", r"range\(2, 5\)", r"\b2 to 4\b", r"\b2-4 players", r"\b2, 3 or 4\b", r"\bfour (seats|players)\b")  # fmt: skip
NAMED = re.compile("|".join(NAMES))
# A noun as a word of its own, or as a part of an identifier: hex_lines, HexMap, N_HEXES; not hexdigest.
HOUSE_RULES = "(?!(?i:house.?rules))"  # every game may be played by them
SHAPED = re.compile(f"(?<![A-Za-z]){HOUSE_RULES}(?i:{'|'.join(NOUNS)})(?![a-z])|{'|'.join(SHAPES)}")

# Room or module, what it says, and why it may.
ALLOWED = (
    ("core", r"hex(es)?", "the hex grid is part of core, for the games that have a board"),
    ("render", r"hex(es)?", "draws core's HexMap"),
    (
        f"{PACKAGE}.search.torch_network",
        r"hex(es)?",
        "a convolution over core's hex grid, for the games that have places",
    ),
    ("benchmarks.peer_loops", r"hex", "the game Hex, in other people's environments"),
    ("agents.desk", "hex", "secrets.token_hex"),
    (f"{PACKAGE}.web.store", "hex", "secrets.token_hex"),
    ("agents.frames", "hex", "bytes.hex"),
)


def told_apart(text: str) -> Iterator[tuple[int, str]]:
    """Line and words by which a source names a game or assumes its shape: in code, texts, docstrings and comments."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern in (NAMED, SHAPED):
            yield from ((number, found[0]) for found in pattern.finditer(line))


def is_allowed(module: str, words: str) -> bool:
    return any(
        where in (module, room_of(module)) and re.fullmatch(pattern, words, re.IGNORECASE)
        for where, pattern, _ in ALLOWED
    )


@pytest.mark.rule("architecture, everything outside games/ is written once for all games")
@pytest.mark.parametrize("room", WITHOUT_GAME_NAMES)
def test_room__says_no_game_and_assumes_no_shape(room: str) -> None:
    here = [module for module in modules() if room_of(module) == room]
    found = [
        f"{module}:{line}: {words}"
        for module in here
        for line, words in told_apart(modules()[module].read_text(encoding="utf-8"))
        if not is_allowed(module, words)
    ]
    assert here and not found, "\n".join(found)


@pytest.mark.rule("architecture, everything outside games/ is written once for all games")
@pytest.mark.parametrize("line", [
    "from winterkingdom_env.games import winter_kingdom as wk", 'title = f"Winter Kingdom {n}"', 'env = "WinterKingdom-v0"', "class HexLegs: pass",
    "n_houses = 3", "# 427 places", "masks = np.zeros(1409)", "for players in (2, 3, 4):", '"""Economy cards."""', 'parser.add("--twist")',
])  # fmt: skip
def test_told_apart__finds_what_it_should(line: str) -> None:
    assert next(told_apart(f"\n{line}\n"))[0] == 2


@pytest.mark.rule("architecture, everything outside games/ is written once for all games")
@pytest.mark.parametrize(
    "line",
    [
        "import winterkingdom_env",
        "winterkingdom play",
        "sha.hexdigest()",
        "x = 14279",
        "comfortable",
        "range(2, 50)",
        "house_rules = HouseRules()",
        "--house-rules",
    ],
)
def test_told_apart__leaves_other_words_alone(line: str) -> None:
    assert not list(told_apart(line))


# --- randomness -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("architecture, no numpy randomness")
def test_kernels__use_no_numpy_randomness() -> None:
    for path in [*(ROOT / PACKAGE / "core").rglob("*.py"), *(ROOT / PACKAGE / "games").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert "np.random" not in text, path.name
        assert "import random" not in text, path.name
