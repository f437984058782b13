"""Positions drawn as text, set up in both implementations at once.

A drawing is rows of words, one word per hex: a terrain letter (tables.TERRAIN_LETTERS: feLl field, Tundra, Flower field,
Grassland, Snowscape, Woods, Ice, Mountain, tUnnel, Village, Castle), then ``a`` to ``d`` for a house or ``A`` to ``D`` for a fort
of seat 0 to 3. ``.`` is whatever the rest of the land is. Rows are axial rows and words axial columns, so each row is
drawn half a hex further right than the one above:

    table = position('''
        T  Ta T
          T  .  Gb
    ''', played="tundra")

The first word lies on r11c11 of the centre board unless ``at`` says otherwise.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.plain import make_state
from winterkingdom_env.games.winter_kingdom.rules import hex_cells
from winterkingdom_env.games.winter_kingdom.world import begin_games, make_world
from winterkingdom_env.reference.winter_kingdom import ReferenceGame
from winterkingdom_env.reference.winter_kingdom.grid import HEX_OF
from winterkingdom_env.reference.winter_kingdom.state import CardInPlay

QUICK_TO_SCORE = ("Scouts", "Peasants", "Ice Fishermen")  # the score is compared at every step
SEATS = "abcd"


class Table:
    """One position in the kernels and in the reference; every question is asked of both, and they must agree."""

    def __init__(self, game: wk.Game, reference: ReferenceGame) -> None:
        self.game, self.reference = game, reference
        self.check()

    def check(self) -> None:
        """Both implementations see the same table, the same legal actions and the same scores."""
        assert make_state(self.game.record[0], self.game.board[0]) == self.reference.state()
        assert self.game.score_sheet() == self.reference.score_sheet()
        ours, theirs = {self.game.label(action) for action in self.game.legal_actions()}, self.reference.legal_labels()
        wrong = sorted(ours ^ theirs)
        assert not wrong, f"kernel and reference differ: {self.reference.explain(wrong[0])}"

    def legal(self) -> set[str]:
        """Labels of the legal actions."""
        return self.reference.legal_labels()

    def hexes(self, verb: str = "house") -> set[str]:
        """Hexes that a verb (house, fort, lift) may be applied to."""
        return {label.split()[1] for label in self.legal() if label.startswith(verb + " ")}

    def uses(self) -> set[str]:
        """What may be used, as "Sleigh I"."""
        return {label.removeprefix("use ") for label in self.legal() if label.startswith("use ")}

    def play(self, *actions: str) -> Table:
        """Carry out actions by label, one after the other."""
        for label in actions:
            self.game.apply(self.game.parse(label))
            self.reference.apply(label)
            self.check()
        return self

    @property
    def phase(self) -> str:
        """Name of the phase."""
        return self.game.phase

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.game.seat

    def player(self, seat: int = 0) -> dict[str, Any]:
        """A player as in the snapshot."""
        return self.game.snapshot()["players"][seat]

    def coins(self, seat: int = 0) -> int:
        """A player's coins."""
        return self.player(seat)["coins"]

    def sheet(self, seat: int = 0) -> dict[str, int]:
        """A player's points by card."""
        return self.game.score_sheet()[seat]


def read_drawing(drawing: str, at: str) -> tuple[dict[str, str], list[tuple[str, int, str]]]:
    """Terrain by hex label, and pieces as (hex label, seat, kind)."""
    row, col = int(at[1:3]), int(at[4:6])
    terrain: dict[str, str] = {}
    pieces: list[tuple[str, int, str]] = []
    for i, line in enumerate(line for line in drawing.splitlines() if line.strip()):
        for j, word in enumerate(line.split()):
            place = f"r{row + i:02d}c{col + j:02d}"
            if word == ".":
                continue
            assert place in HEX_OF, f"{word} lies off the board at {place}"
            if word[0] != "-":  # "-a" is a piece on whatever the rest of the land is
                terrain[place] = tables.TERRAIN_NAMES[tables.TERRAIN_LETTERS.index(word[0])]
            if len(word) == 2:
                kind = "house" if word[1] in SEATS else "fort"
                pieces.append((place, SEATS.index(word[1].lower()), kind))
    return terrain, pieces


@cache
def base_game(players: int) -> wk.Game:
    """A game to make positions from; nobody changes it."""
    return wk.new_game(wk.Config(num_players=players), seed=1)


def position(
    drawing: str = "",
    *,
    at: str = "r11c11",
    rest: str = "mountain",
    land: dict[str, str] | None = None,
    pieces: dict[str, str] | None = None,
    played: str | None = "tundra",
    next_cards: tuple[str, ...] = (),
    players: int = 2,
    seat: int = 0,
    phase: str = "before",
    twist: str | None = None,
    house_rules: str = "",
    economy: str = "Marble",
    scoring: tuple[str, ...] = QUICK_TO_SCORE,
    top: int = 1,
    bottom: int = 4,
    direction: str = "row",
    in_play: tuple[str, ...] = (),
    hand: tuple[str, ...] = (),
    coins: int | None = None,
    houses_left: int | None = None,
    forts_left: int | None = None,
) -> Table:
    """A position for both implementations.

    ``land`` adds terrain by hex label, ``pieces`` adds pieces by hex label ("a" house of seat 0, "B" fort of seat 1).
    ``in_play``: ability cards of the seat to move, a ``+`` behind the name means upgraded. ``hand`` likewise, without +.
    ``played`` is its terrain card; ``next_cards`` lie on the draw pile, the next one first (default: the whole deck).
    ``phase``: "before", or "after" when the mandatory action is over.
    """
    terrain, stones = read_drawing(drawing, at)
    terrain.update(land or {})
    stones += [
        (place, SEATS.index(p.lower()), "house" if p in SEATS else "fort") for place, p in (pieces or {}).items()
    ]
    setup = base_game(players).setup()
    for entry in setup["hexes"]:
        entry["terrain"] = terrain.get(entry["hex"], rest)
    setup.update(
        scoring=list(scoring), economy=economy, twist=twist, top_board=top, bottom_board=bottom, direction=direction
    )
    if next_cards:
        setup["draw_pile"] = list(next_cards)
    if house_rules:
        setup["house_rules"] = house_rules
    reference = ReferenceGame(setup)
    record, board = _records(setup)
    _fill(reference, record[0], stones, locals())
    reference._legal = None  # it knew the legal actions of the empty board
    return Table(wk.game_of(record, board), reference)


def _records(setup: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Engine records of any land at all: a drawing need not have seven castles."""
    base = base_game(setup["num_players"])
    record, board = base.record.copy(), base.board.copy()
    names = [entry["terrain"] for entry in setup["hexes"]]
    assert max(names.count("castle"), names.count("tunnel")) <= 7, "there are only seven castles and seven tunnels"
    assert names.count("village") <= 14, "there are only fourteen villages"
    board["terrain_at"][0] = [tables.TERRAIN_NAMES.index(entry["terrain"]) for entry in setup["hexes"]]
    board["scoring"][0] = [[card.name for card in tables.SCORINGS].index(name) for name in setup["scoring"]]
    board["economy"][0] = [card.name for card in tables.ECONOMIES].index(setup["economy"])
    twists = [None, *(card.name for card in tables.TWISTS)]
    board["twist"][0] = twists.index(setup["twist"])
    board["top"][0], board["bottom"][0] = setup["top_board"], setup["bottom_board"]
    board["direction"][0] = tables.DIRECTION_NAMES.index(setup["direction"])
    world = make_world(1, (wk.Config(house_rules=setup.get("house_rules", "")),))
    begin_games(world._replace(games=record, boards=board))
    return record, board


def _fill(reference: ReferenceGame, record: np.void, stones: list[tuple[str, int, str]], wish: dict[str, Any]) -> None:
    """Bring both to the same position: first the reference, then the record from it."""
    reference.seat, reference.phase = wish["seat"], wish["phase"]
    for place, seat, kind in stones:
        reference.position.put(seat, HEX_OF[place], kind)
    player = reference.position.players[wish["seat"]]
    player.terrain_card = wish["played"]
    player.hand = set(wish["hand"]) or player.hand - {name.rstrip("+") for name in wish["in_play"]}
    player.in_play = {name.rstrip("+"): CardInPlay(name.endswith("+")) for name in wish["in_play"]}
    for key in ("coins", "houses_left", "forts_left"):
        if wish[key] is not None:
            setattr(player, key, wish[key])
    if wish["next_cards"]:
        reference.deck.pile[:] = list(reversed(wish["next_cards"]))
        reference.deck.discards.clear()
    _copy_to_record(reference, record)


def _copy_to_record(reference: ReferenceGame, record: np.void) -> None:
    names = [card.name for card in tables.ABILITIES]
    kinds = list(tables.TERRAIN_NAMES)
    record["seat"], record["phase"] = reference.seat, layout.Phase[reference.phase.upper()]
    record["houses"] = record["forts"] = 0
    for seat, player in enumerate(reference.position.players):
        for field, hexes in (("houses", player.houses), ("forts", player.forts)):
            for hex_id in hexes:
                row, col, _ = hex_cells()[hex_id]
                record[field][seat][row] |= np.uint32(1 << col)
        record["coins"][seat] = player.coins
        record["houses_left"][seat], record["forts_left"][seat] = player.houses_left, player.forts_left
        record["hand"][seat] = sum(1 << names.index(name) for name in player.hand)
        cards = {names.index(name): card.upgraded for name, card in player.in_play.items()}
        record["in_play"][seat] = sum(1 << card for card in cards) | 1 << layout.TUNNEL_CARD
        record["upgraded"][seat] = sum(1 << card for card, upgraded in cards.items() if upgraded)
        record["terrain_card"][seat] = layout.NONE if player.terrain_card is None else kinds.index(player.terrain_card)
    for field, size, pile in (
        ("draw_pile", "n_draw", reference.deck.pile),
        ("discard_pile", "n_discard", reference.deck.discards),
    ):
        record[field] = 0
        record[field][: len(pile)] = [kinds.index(name) for name in pile]
        record[size] = len(pile)
    record["rng"] = reference.deck.random.state
