"""``python -m winterkingdom_env.render.observation_page > docs/observation.md``: the page that describes what a seat sees.

Everything on it comes from where it is decided: the game's Spec, its card tables, and the words at the head of its observe.py.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module

from winterkingdom_env.core.observation import Kind, Spec
from winterkingdom_env.games import GAMES, get_game

FIRST_GAME = next(iter(GAMES))
COMMAND = "python -m winterkingdom_env.render.observation_page"
# Lists of the game's tables in whose order entries are numbered: what they are called there and on the page.
ORDERED = (
    ("terrains", "TERRAIN_NAMES"),
    ("cards", "CARDS"),
    ("scoring cards", "SCORINGS"),
    ("economies", "ECONOMIES"),
    ("twists", "TWISTS"),
    ("directions", "DIRECTION_NAMES"),
)
KINDS = {
    Kind.BITS: "each entry is 0 or 1; entry `i` is bit `i % 32` of word `i // 32` of its thing",
    Kind.CHOICE: "one entry is 1, or none; one word: 0 for none, else 1 + the entry",
    Kind.NUMBER: "one entry, the number divided by `scale`; one word, the number itself",
}

INTRO = """\
# What a seat sees

`game.observe(seat, form)` and the environments show a seat what a person on its chair would see, as arrays of fixed shape: sets of
hexes as planes, everything else as a vector.

{relative}

Written by `{command} --game {game}` from the description in
`winterkingdom_env/games/{game}/observe.py`; a test compares the two. The turn and its phases are explained in [turn.md](turn.md).

## Two forms of the same content

| form | key | dtype | shape | content |
|---|---|---|---|---|
| `planes` | `observation` | uint8 | {planes_shape} | planes of 0 and 1, rows, columns: hex `r12c07` is `[:, 12, 7]` |
| `planes` | `vector` | float32 | ({n_entries},) | the fields, one after the other |
| `packed` | `observation` | uint32 | ({n_words},) | {plane_words} words for the planes, then {field_words} for the fields |
| both | `action_mask` | int8 | ({n_actions},) | 1 for every action that is legal; all 0 for a seat that is not to move |

In the packed form a plane is {rows} words, one per row; bit `c` of word `r` is the hex in row `r`, column `c`. It takes
{packed_bytes:,} bytes where the planes and the vector take {planes_bytes:,}: keep observations packed, and unpack them where they are needed.
`unpack` takes any axes before the last, a batch or a whole rollout.

```python
from winterkingdom_env.games import {game}

spec = {game}.OBSERVATION
packed = {game}.new_game(seed=7).observe(form="packed")["observation"]
seen = spec.unpack(packed)
print(packed.shape, seen["observation"].shape, seen["vector"].shape)  # ({n_words},) {planes_shape} ({n_entries},)
{plane} = seen["observation"][spec.plane("{plane}")]
{field} = seen["vector"][spec.entries("{field}")]
print({plane}.shape, {field}.shape)  # {plane_shape} ({field_entries},)
```

On a GPU the words travel and the planes are made there; words may be uint32, int32 or int64, the result has the `dtype` that the network wants:

```python
import torch

seen = spec.unpack_torch(torch.from_numpy(packed).expand(64, -1), dtype=torch.float16)
print(seen["observation"].dtype, tuple(seen["vector"].shape))  # torch.float16 (64, {n_entries})
```
"""


def _cells(values: Iterable[object]) -> str:
    return "| " + " | ".join(str(value).replace("|", r"\|") for value in values) + " |"


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    return "\n".join([_cells(head), "|" + "---|" * len(head), *map(_cells, rows)]) + "\n"


def _plane_rows(spec: Spec) -> Iterator[tuple[object, ...]]:
    for number, plane in enumerate(spec.planes):
        yield number, f"`{plane.name}`", plane.text


def _field_rows(spec: Spec) -> Iterator[tuple[object, ...]]:
    for field, word, entry in spec.placed_fields():
        kind = field.kind.name.lower() if field.count == 1 else f"{field.count} x {field.kind.name.lower()}"
        size = f" of {field.size}" if field.kind != Kind.NUMBER else ""
        entries, words = f"[{entry}:{entry + field.n_entries}]", f"[{word}:{word + field.n_words}]"
        scale = field.scale if field.kind == Kind.NUMBER else ""
        yield f"`{field.name}`", field.text, kind + size, entries, scale, words


def _orders(game: str) -> Iterator[tuple[object, ...]]:
    """The names that stand behind the entries, from the game's tables and phases."""
    tables = import_module(f"winterkingdom_env.games.{game}.tables")
    layout = import_module(f"winterkingdom_env.games.{game}.layout")
    yield "phases", ", ".join(phase.name.lower() for phase in layout.Phase)
    for what, name in ORDERED:
        rows = getattr(tables, name, ())
        if rows:
            yield what, ", ".join(row if isinstance(row, str) else row.name for row in rows)


def _relative(game: str) -> str:
    """What the game's observe.py says about who looks and what is hidden: all of its head but the first paragraph."""
    text = inspect.getdoc(import_module(f"winterkingdom_env.games.{game}.observe")) or ""
    return text.partition("\n\n")[2]


def _intro(spec: Spec, game: str) -> str:
    n_planes, n_rows, n_columns = spec.planes_shape
    return INTRO.format(
        command=COMMAND,
        game=game,
        relative=_relative(game),
        planes_shape=spec.planes_shape,
        n_entries=spec.n_entries,
        n_words=spec.n_words,
        plane_words=n_planes * n_rows,
        field_words=spec.n_words - n_planes * n_rows,
        n_actions=get_game(game).N_ACTIONS,
        rows=n_rows,
        packed_bytes=4 * spec.n_words,
        planes_bytes=n_planes * n_rows * n_columns + 4 * spec.n_entries,
        plane=spec.planes[0].name,
        plane_shape=spec.planes_shape[1:],
        field=spec.fields[0].name,
        field_entries=spec.fields[0].n_entries,
    )


def page(spec: Spec, game: str = "winter_kingdom") -> str:
    """The page in Markdown."""
    kinds = "\n".join(f"- *{kind.name.lower()}*: {text}" for kind, text in KINDS.items())
    heads = (("number", "plane", "hexes"), ("field", "meaning", "kind", "vector", "scale", "packed"))
    return "\n".join(
        (
            _intro(spec, game),
            "## Planes\n",
            _table(heads[0], _plane_rows(spec)),
            "## Fields\n",
            "The vector and the packed words behind the planes hold the same fields in the same order. *4 x* means four things one "
            "after the other; per seat, the looker comes first, and seats that nobody sits on are 0.\n",
            f"{kinds}\n",
            _table(heads[1], _field_rows(spec)),
            "## Orders\n",
            "Entries are numbered in these orders; where a field has fewer entries, it has the first ones.\n",
            _table(("what", "order"), _orders(game)),
        )
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the page."""
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Print the page that describes the observation of a game, in Markdown.",
        epilog=f"examples: {COMMAND} > docs/observation.md; {COMMAND} --game {FIRST_GAME}",
    )
    parser.add_argument("--game", choices=tuple(GAMES), default=FIRST_GAME, help="which game (default: %(default)s)")
    game = parser.parse_args(arguments).game
    sys.stdout.write(page(get_game(game).OBSERVATION, game))
    return 0


if __name__ == "__main__":
    sys.exit(main())
