"""``python -m winterkingdom_env.render.observation_page > docs/observation.md``: generate the page about the observation.

Everything on it comes from the game: its Spec (``OBSERVATION``), its ``OBSERVATION_NOTES`` and its ``OBSERVATION_ORDERS``. The page of the first
game is observation.md, those of the others observation_<game>.md; other pages about a game are named likewise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from winterkingdom_env.core.observation import Kind, Spec
from winterkingdom_env.games import GAMES, UnknownGameError, get_game

FIRST_GAME = next(iter(GAMES))
COMMAND = "python -m winterkingdom_env.render.observation_page"
KINDS = {
    Kind.BITS: "each entry is 0 or 1; entry `i` is bit `i % 32` of word `i // 32` of the item",
    Kind.CHOICE: "one entry is 1, or none; one word: 0 for none, else 1 + the entry",
    Kind.NUMBER: "one entry, the number divided by `scale`; one word, the number itself",
}

INTRO = """\
# Observation

`game.observe(seat, form)` and the environments return what a seat may see, as arrays of fixed shape: {shapes}.

{notes}

`{command} --game {game}` writes this page from the game's own description, `OBSERVATION`;
a test compares the two. [The game's page](games/{game}.md) describes its rules and actions.

## Two forms
"""
PACKED = """\
In the packed form {layout}It takes
{packed_bytes:,} bytes where the {others} {planes_bytes:,}: store observations packed, and unpack them when you need them.
`unpack` accepts any leading axes, such as a batch or a rollout.
"""
EXAMPLES = """\
```python
from winterkingdom_env.games import get_game

game = get_game("{game}")
spec = game.OBSERVATION
packed = game.new_game(seed=7).observe(form="packed")["observation"]
seen = spec.unpack(packed)
{example}
```

With torch, move the packed words to the device and unpack them there. Words may be uint32, int32 or int64; `dtype` is that of the result:

```python
import torch

seen = spec.unpack_torch(torch.from_numpy(packed).expand(64, -1), dtype=torch.float16)
print(seen["{first}"].dtype, tuple(seen["vector"].shape))  # torch.float16 (64, {n_entries})
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


def _forms(spec: Spec, n_actions: int) -> str:
    """The table of keys, dtypes and shapes."""
    plane_words = spec.n_words - sum(field.n_words for field in spec.fields)
    words = f"{plane_words} words for the planes, then {spec.n_words - plane_words} for the fields"
    rows: list[tuple[object, ...]] = [
        ("`planes`", "`vector`", "float32", f"({spec.n_entries},)", "the fields, one after the other"),
        ("`packed`", "`observation`", "uint32", f"({spec.n_words},)", words if spec.planes else "words of the fields"),
        ("both", "`action_mask`", "int8", f"({n_actions},)", "1 for every action that is legal; all 0 for a seat that is not to move"),
    ]  # fmt: skip
    if spec.planes:
        content = "planes of 0 and 1, rows, columns: the cell in row 12, column 7 is `[:, 12, 7]`"
        rows.insert(0, ("`planes`", "`observation`", "uint8", spec.planes_shape, content))
    return _table(("form", "key", "dtype", "shape", "content"), rows)


def _example(spec: Spec) -> str:
    """Code that reads an unpacked observation, with its output."""
    field = spec.fields[0]
    lines = [f'{field.name} = seen["vector"][spec.entries("{field.name}")]']
    shapes, seen = [f"({spec.n_words},)", f"({spec.n_entries},)"], ['seen["vector"].shape']
    names, parts = [f"{field.name}.shape"], [f"({field.n_entries},)"]
    if spec.planes:
        plane = spec.planes[0].name
        lines.insert(0, f'{plane} = seen["observation"][spec.plane("{plane}")]')
        shapes.insert(1, str(spec.planes_shape))
        seen.insert(0, 'seen["observation"].shape')
        names.insert(0, f"{plane}.shape")
        parts.insert(0, str(spec.planes_shape[1:]))
    first = f"print({', '.join(['packed.shape', *seen])})  # {' '.join(shapes)}"
    return "\n".join([first, *lines, f"print({', '.join(names)})  # {' '.join(parts)}"])


def _intro(game: Any) -> Iterator[str]:
    """The text above the tables of planes and fields."""
    spec: Spec = game.OBSERVATION
    has_planes = bool(spec.planes)
    n_planes, n_rows, n_columns = spec.planes_shape
    shapes = "sets of\nplaces as planes, everything else as a vector" if has_planes else "one vector"
    yield INTRO.format(shapes=shapes, notes=game.OBSERVATION_NOTES, command=COMMAND, game=game.NAME)
    yield _forms(spec, game.N_ACTIONS)
    layout = f"a plane is {n_rows} words, one per row; bit `c` of word `r` is the cell in row `r`, column `c`. "
    yield PACKED.format(
        layout=layout if has_planes else "the fields follow one another. ",
        packed_bytes=4 * spec.n_words,
        others="planes and the vector take" if has_planes else "vector takes",
        planes_bytes=n_planes * n_rows * n_columns + 4 * spec.n_entries,
    )
    yield EXAMPLES.format(
        game=game.NAME,
        example=_example(spec),
        first="observation" if has_planes else "vector",
        n_entries=spec.n_entries,
    )


def _body(game: Any) -> Iterator[str]:
    """The tables of planes, fields and orders."""
    spec: Spec = game.OBSERVATION
    if spec.planes:
        yield "## Planes\n"
        yield _table(("number", "plane", "places"), _plane_rows(spec))
    yield "## Fields\n"
    where = "The vector and the packed words after the planes" if spec.planes else "The vector and the packed words"
    yield (
        f"{where} hold the same fields in the same order. *4 x* means four items in sequence; items per seat start with "
        "the observing seat, and empty seats are 0.\n"
    )
    yield "\n".join(f"- *{kind.name.lower()}*: {text}" for kind, text in KINDS.items()) + "\n"
    yield _table(("field", "meaning", "kind", "vector", "scale", "packed"), _field_rows(spec))
    yield "## Orders\n"
    yield "Entries are numbered in these orders; a field with fewer entries has the first ones.\n"
    yield _table(("what", "order"), ((what, ", ".join(names)) for what, names in game.OBSERVATION_ORDERS.items()))


def page_name(game: str, about: str = "observation") -> str:
    """The file name of a page about a game in docs/; the first game has the short names."""
    return f"{about}.md" if game == FIRST_GAME else f"{about}_{game}.md"


def page(game: Any) -> str:
    """The page about the observation of a game (its module) in Markdown."""
    return "\n".join((*_intro(game), *_body(game)))


def main(arguments: list[str] | None = None) -> int:
    """Print the page."""
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Print the page that describes the observation of a game, in Markdown.",
        epilog=f"examples: {COMMAND} > docs/observation.md; {COMMAND} --game {FIRST_GAME}",
    )
    words = f"{', '.join(GAMES)}, or package.module:attribute (default: %(default)s)"
    parser.add_argument("--game", metavar="NAME", default=FIRST_GAME, help=words)
    try:
        game = get_game(parser.parse_args(arguments).game)
    except UnknownGameError as error:
        parser.error(str(error))
    sys.stdout.write(page(game))
    return 0


if __name__ == "__main__":
    sys.exit(main())
