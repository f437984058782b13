"""The tables of the documentation that games fill: ``python docs/game_tables.py`` writes them into the pages.

A table stands between two comments, ``<!-- table: actions winter_kingdom -->`` and ``<!-- end -->``. The site makes it again when it is
built; the pages keep a copy for those who read them elsewhere, and a test compares the two.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from winterkingdom_env.core.verbs import N_KINDS
from winterkingdom_env.games import GAMES, GameRules, get_game
from winterkingdom_env.games.options import as_typed, meanings_of, options_of
from winterkingdom_env.render.observation_page import page_name
from winterkingdom_env.search.action_rows import count_rows
from winterkingdom_env.search.network import count_context

DOCS = Path(__file__).parent
TABLE = re.compile(r"<!-- table: (\w+)(?: (\w+))? -->\n.*?<!-- end -->", re.DOTALL)
COMMAND = "python docs/game_tables.py"


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines)


def labels_of(rules: GameRules) -> list[str]:
    """The labels of all actions, by number."""
    game = rules.new_game()
    return [game.label(action) for action in range(rules.N_ACTIONS)]


def kind_of(label: str) -> str:
    """The kind of an action: the first word of its label."""
    return label.split(maxsplit=1)[0]


def actions(rules: GameRules) -> str:
    """The kinds of actions, in the order of their numbers."""
    rows = []
    for kind, run in groupby(enumerate(labels_of(rules)), key=lambda pair: kind_of(pair[1])):
        numbered = list(run)
        first, last = numbered[0][0], numbered[-1][0]
        shown = dict.fromkeys([f"`{numbered[0][1]}`", f"`{numbered[-1][1]}`"])
        rows.append((f"`{kind}`", first if first == last else f"{first} to {last}", len(numbered), " ... ".join(shown)))
    return table(("kind", "numbers", "actions", "labels"), rows)


def options(rules: GameRules) -> str:
    """What can be chosen about a game."""
    config, told = rules.Config(), meanings_of(rules)
    players = ", ".join(map(str, rules.PLAYERS))
    rows: list[tuple[object, ...]] = [
        ("`num_players`", players, f"`{config.num_players}`", told.get("num_players", ""))
    ]
    for name, option in options_of(rules).items():
        typed = as_typed(getattr(config, name))
        rows.append((f"`{name}`", option.words, f"`{typed}`" if typed else "empty", told.get(name, "")))
    return table(("option", "takes", "default", "meaning"), rows)


def glance(rules: GameRules) -> str:
    """A game in numbers."""
    spec = rules.OBSERVATION
    planes = f"planes {spec.planes_shape} uint8 and " if spec.planes else ""
    rows = [
        ("Name", f"`{rules.NAME}`"),
        ("Version", f"`{rules.ENV_VERSION}`"),
        ("Players", f"{rules.PLAYERS[0]} to {rules.PLAYERS[-1]}"),
        ("Agents", f"`player_0` to `player_{rules.MAX_PLAYERS - 1}`"),
        ("Actions", f"`Discrete({rules.N_ACTIONS})`, with an action mask"),
        ('Observation `"planes"`', f"{planes}a vector ({spec.n_entries},) float32"),
        ('Observation `"packed"`', f"({spec.n_words},) uint32"),
        (
            'Observation `"actions"`',
            f"{count_rows(rules)} rows of {len(rules.FEATURES)} features, and {count_context(rules.World)} numbers",
        ),
        ("Places on the board", f"{len(rules.PLACES)}" if rules.PLACES else "no board"),
        ("Points that are about 1 in the reward `margin`", f"{rules.SCORE_SCALE:g}"),
    ]
    return table(("", ""), rows)


def action_rows(rules: GameRules) -> str:
    """The parts of the observation "actions"."""
    n_rows, n_entries, n_context = count_rows(rules), rules.OBSERVATION.n_entries, count_context(rules.World)
    longer = (
        "" if n_rows == rules.N_ACTIONS else "; of a longer list all that is not on the board, and evenly spaced others"
    )
    extra = f", then {n_context - n_entries} numbers that the game adds" if n_context > n_entries else ""
    parts = [
        ("`observation`", "float32", (n_context,), f'the vector of the form `"planes"`{extra}'),
        ("`actions`", "int16", (n_rows,), f"the legal actions by number, ascending{longer}; -1 in unused rows"),
        ("`kinds`", "int16", (n_rows,), f"the kind of each action, 0 to {N_KINDS.of(rules.World) - 1}"),
        ("`features`", "float32", (n_rows, len(rules.FEATURES)), "what each action leads to, by the columns below"),
        ("`row_mask`", "int8", (n_rows,), "1 for every row that holds an action; these come first"),
    ]
    columns = " ".join(f"{number} `{name}`" for number, name in enumerate(rules.FEATURES))
    return f"{table(('key', 'dtype', 'shape', 'content'), parts)}\n\nColumns of `features`: {columns}."


def games(_: None = None) -> str:
    """The games of the package."""
    rows = []
    for name in GAMES:
        rules = get_game(name)
        link = f"[{rules.TITLE}]({name}.md)"
        seats = f"{rules.PLAYERS[0]} to {rules.PLAYERS[-1]}"
        rows.append((link, f"`{name}`", rules.ENV_VERSION, seats, f"{rules.N_ACTIONS:,}", _seen(rules)))
    return table(("game", "name", "version", "players", "actions", "observation"), rows)


def _seen(rules: GameRules) -> str:
    spec = rules.OBSERVATION
    return f"{len(spec.planes)} planes, {spec.n_entries} numbers" if spec.planes else f"{spec.n_entries} numbers"


TABLES: dict[str, Callable[[Any], str]] = {
    "actions": actions,
    "options": options,
    "glance": glance,
    "games": games,
    "rows": action_rows,
}


def renewed(markdown: str) -> str:
    """A page with its tables made again."""

    def made(found: re.Match[str]) -> str:
        kind, name = found[1], found[2]
        body = TABLES[kind](get_game(name) if name else None)
        opening = f"<!-- table: {kind}{f' {name}' if name else ''} -->"
        return f"{opening}\n{body}\n<!-- end -->"

    return TABLE.sub(made, markdown)


def pages_of(name: str) -> dict[str, str]:
    """The pages about a game, relative to docs/, by title: the one that every game has, then those of the others that exist."""
    others = {about.capitalize(): page_name(name, about) for about in ("rules", "turn", "observation", "readings")}
    return {"Overview": f"games/{name}.md"} | {title: page for title, page in others.items() if (DOCS / page).exists()}


def main() -> int:
    """Write the tables into the pages, and print which pages changed."""
    for path in sorted(DOCS.rglob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.relative_to(DOCS.parent)}: tables renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
