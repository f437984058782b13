"""Set-ups as JSON-compatible data: written from records, and read into records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.errors import ConfigError, SetupError
from winterkingdom_env.games.house_rules import HOUSE_RULES
from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.actions import hex_labels, hex_numbers
from winterkingdom_env.games.kingdom_builder.house import Cards, cards_of, house_rules_of
from winterkingdom_env.games.kingdom_builder.kinds import Terrain
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, NONE
from winterkingdom_env.games.kingdom_builder.plain import table
from winterkingdom_env.games.kingdom_builder.setup import clear_board, clear_game
from winterkingdom_env.games.kingdom_builder.tables import (
    CARD_NAMES,
    QUADRANT_NAMES,
    SCORING_NAMES,
    SETS,
    TASK_NAMES,
    TERRAIN_LETTERS,
    TERRAIN_NAMES,
    TILE_NAMES,
)

LETTERS = {letter: terrain for terrain, letter in enumerate(TERRAIN_LETTERS)}
KEYS = (
    "num_players", "sets", "quadrants", "terrain", "island", "locations", "nomads", "scoring", "tasks", "removed_terrain", "caves", "capitols",
    "round_limit", "hands", "deck", "out", "rng",
)  # fmt: skip  # every set-up has them; house rules may follow


def make_setup(game: np.void, board: np.void) -> dict[str, Any]:
    """The set-up of a game from its first record."""
    nomads = [site for site in range(layout.MOST_SITES) if board["site_tile"][site] >= FIRST_NOMAD]
    told = {
        **table(board),
        "nomads": {hex_labels()[board["site_hex"][site]]: TILE_NAMES[board["site_tile"][site]] for site in nomads},
        "hands": [
            [CARD_NAMES[card] for card in game["hand"][seat][: game["n_hand"][seat]]]
            for seat in range(board["n_players"])
        ],
        "deck": [CARD_NAMES[card] for card in game["deck"][: game["n_deck"]]],
        "out": [CARD_NAMES[card] for card in range(layout.N_CARDS) for _ in range(game["out"][card])],
        "rng": int(game["rng"]),
    }
    house_rules = house_rules_of(board)
    return {**told, HOUSE_RULES: house_rules} if house_rules else told


# To records -------------------------------------------------------------------------------------------------------------


def _number(name: object, names: Sequence[str], what: str) -> int:
    if isinstance(name, str) and name in names:
        return names.index(name)
    raise SetupError(f"{what}: {quoted(name)} is unknown; valid are: {', '.join(names)}")


def _listed(found: object, most: int, what: str) -> list[Any]:
    if not isinstance(found, list | tuple) or len(found) > most:
        raise SetupError(f"{what}: a list of at most {most} is needed, found {quoted(found)}")
    return list(found)


def _integer(found: object, allowed: range, what: str) -> int:
    if type(found) is not int or found not in allowed:
        raise SetupError(f"{what}: an integer from {allowed[0]} to {allowed[-1]} is needed, found {quoted(found)}")
    return found


def _hex(label: object, what: str) -> int:
    if not isinstance(label, str) or label not in hex_numbers():
        raise SetupError(f"{what}: {quoted(label)} is no hex; hexes are r00c00 to r19c19 and i0c00 to i4c09")
    return hex_numbers()[label]


def _rows(found: object, rows: int, columns: int, letters: str, what: str) -> str:
    """The letters of all rows."""
    texts = found if isinstance(found, list | tuple) else ()
    is_text = all(isinstance(row, str) and len(row) == columns and not set(row) - set(letters) for row in texts)
    if len(texts) != rows or not is_text:
        raise SetupError(f"{what}: {rows} rows of {columns} letters of {letters} are needed, found {quoted(found)}")
    return "".join(texts)


def _fill_hexes(setup: dict[str, Any], board: np.void) -> None:
    main = _rows(setup["terrain"], layout.SIDE, layout.SIDE, TERRAIN_LETTERS, "terrain")
    island = "." * (layout.N_HEXES - layout.ISLAND_FIRST)
    if setup["island"] is not None:
        letters = TERRAIN_LETTERS + "."
        island = _rows(setup["island"], layout.ISLAND_ROWS, layout.ISLAND_COLUMNS, letters, "island")
    board["terrain_at"] = [LETTERS.get(letter, NONE) for letter in main + island]


def _fill_sites(setup: dict[str, Any], game: np.void, board: np.void) -> None:
    """Every location hex and nomad hex is a site, in hex order."""
    found: dict[int, int] = {}
    for key, terrain, allowed in (
        ("locations", Terrain.LOCATION, TILE_NAMES[:FIRST_NOMAD]),
        ("nomads", Terrain.NOMAD, TILE_NAMES[FIRST_NOMAD:]),
    ):
        if not isinstance(setup[key], dict):
            raise SetupError(f"{key}: a dictionary of tiles by hex is needed, found {quoted(setup[key])}")
        told = {_hex(label, key): TILE_NAMES.index(_name(tile, allowed, key)) for label, tile in setup[key].items()}
        wanted = set(np.flatnonzero(board["terrain_at"] == terrain).tolist())
        if set(told) != wanted or len(told) > layout.MOST_SITES:
            raise SetupError(
                f"{key}: exactly the hexes of {TERRAIN_NAMES[terrain]} are needed: {', '.join(hex_labels()[number] for number in sorted(wanted))}"
            )
        found |= told
    for site, hex_id in enumerate(sorted(found)):
        board["site_hex"][site], board["site_tile"][site] = hex_id, found[hex_id]
        game["tiles_left"][site] = layout.TILES_PER_HEX if found[hex_id] < FIRST_NOMAD else 1
    board["n_sites"] = len(found)
    if setup["island"] is not None:
        kinds = [found[hex_id] for hex_id in found if hex_id >= layout.ISLAND_FIRST]
        board["island"] = next((i for i, row in enumerate(tables.ISLANDS) if set(map(int, row.tiles)) & set(kinds)), 0)


def _name(found: object, names: Sequence[str], what: str) -> str:
    return names[_number(found, names, what)]


def _fill_table(setup: dict[str, Any], board: np.void, cards: Cards) -> None:
    board["sets"] = sum(1 << _number(name, SETS, "sets") for name in set(_listed(setup["sets"], len(SETS), "sets")))
    quadrants = _listed(setup["quadrants"], layout.N_PLACES, "quadrants")
    if len(quadrants) != layout.N_PLACES or not all(isinstance(q, list | tuple) and len(q) == 2 for q in quadrants):
        raise SetupError(f"quadrants: four of [name, 0 or 1] are needed, found {quoted(setup['quadrants'])}")
    board["quadrant"] = [_number(name, QUADRANT_NAMES, "quadrants") for name, _ in quadrants]
    board["is_turned"] = [_integer(turned, range(2), "quadrants") for _, turned in quadrants]
    scoring = [_number(name, SCORING_NAMES, "scoring") for name in _listed(setup["scoring"], 3, "scoring")]
    if len(set(scoring)) != layout.SCORING_IN_PLAY:
        raise SetupError(f"scoring: three different cards are needed, found {quoted(setup['scoring'])}")
    board["scoring"], board["gold"] = scoring, [cards.scorings[card].gold for card in scoring]
    board["in_play"] = sum(
        1 << k for k, card in enumerate(scoring) if tables.SCORINGS[card].measure >= layout.FIRST_IN_PLAY
    )
    tasks = [_number(name, TASK_NAMES, "tasks") for name in _listed(setup["tasks"], layout.MOST_TASKS, "tasks")]
    board["task"], board["task_gold"] = NONE, 0
    board["task"][: len(tasks)] = tasks
    board["task_gold"][: len(tasks)] = [cards.tasks[task].gold for task in tasks]
    board["castle_gold"], board["palace_gold"] = (landmark.gold for landmark in cards.landmarks)
    removed = setup["removed_terrain"]
    board["removed"] = NONE if removed is None else _number(removed, TERRAIN_NAMES[: layout.N_BASIC], "removed_terrain")
    for key, field, most in (("caves", "cave", layout.MOST_CAVES), ("capitols", "capitol", layout.MOST_CAPITOLS)):
        hexes = sorted((_hex(label, key) for label in _listed(setup[key], most, key)), key=_place)
        board[field] = NONE
        board[field][: len(hexes)] = hexes


def _place(hex_id: int) -> tuple[int, int]:
    """The quadrant of a hex, then its number: the order in which set-up chooses caves and capitols."""
    row, column = divmod(hex_id, layout.SIDE)
    return 2 * (row // layout.QUADRANT_SIDE) + column // layout.QUADRANT_SIDE, hex_id


def _fill_cards(setup: dict[str, Any], game: np.void, n_players: int) -> None:
    hands = _listed(setup["hands"], n_players, "hands")
    if len(hands) != n_players:
        raise SetupError(f"hands: {n_players} hands are needed, found {quoted(setup['hands'])}")
    for seat, cards in enumerate(hands):
        hand = [_number(name, CARD_NAMES, "hands") for name in _listed(cards, 1, "hands")]
        game["hand"][seat][: len(hand)], game["n_hand"][seat] = hand, len(hand)
    deck = [_number(name, CARD_NAMES, "deck") for name in _listed(setup["deck"], layout.MOST_CARDS, "deck")]
    game["deck"][: len(deck)], game["n_deck"] = deck, len(deck)
    out = [_number(name, CARD_NAMES, "out") for name in _listed(setup["out"], layout.MOST_CARDS, "out")]
    game["out"] = np.bincount(np.array(out, np.int64), minlength=layout.N_CARDS)


def cards_in(setup: Any) -> Cards:
    """The tables under the house rules of a set-up. Raises SetupError if those are invalid."""
    found = setup.get(HOUSE_RULES, "") if isinstance(setup, dict) else ""
    if not isinstance(found, str):
        raise SetupError(f"{HOUSE_RULES}: their content as text is needed, found {quoted(found)}")
    try:
        return cards_of(found)
    except ConfigError as error:
        raise SetupError(str(error)) from error


def fill_from_setup(setup: Any, game: np.void, board: np.void) -> None:
    """Fill records with a set-up, except what follows from it. Raises SetupError if a value has a wrong form."""
    missing = [key for key in KEYS if not isinstance(setup, dict) or key not in setup]
    if missing:
        raise SetupError(f"the set-up lacks {', '.join(missing)}; game.setup() returns a complete one")
    clear_game(game)
    clear_board(board)
    n_players = _integer(setup["num_players"], range(2, layout.MAX_PLAYERS + 1), "num_players")
    board["n_players"] = n_players
    board["round_limit"] = _integer(setup["round_limit"], range(1, layout.MOST_ROUNDS + 1), "round_limit")
    game["rng"] = _integer(setup["rng"], range(1 << 64), "rng")
    _fill_table(setup, board, cards_in(setup))
    _fill_hexes(setup, board)
    _fill_sites(setup, game, board)
    _fill_cards(setup, game, n_players)
    game["supply"][:n_players] = layout.SETTLEMENTS
    if board["sets"] & tables.CROSSROADS:
        game["unit_supply"][:n_players] = [layout.WARRIORS, 1, 1, 1]
