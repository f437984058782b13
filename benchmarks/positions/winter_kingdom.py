"""Positions of Winter Kingdom: by phase and op, with chosen cards in play, for the engine, the reference and plain numpy.

Random games prefer to buy and use cards. Two kinds of legal mask are implemented in plain numpy, over the whole batch; sets of hexes are uint32
(n, WORDS). Only mandatory placement and moves by one hex: they show the speed of vectorised numpy and are not a third engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import positions
from benchmarks.positions import Pair, Row, Scene, Start, Variation, played
from benchmarks.timing import Budget, Level
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.layout import BUILDABLE, FORT, HOUSE, LIFT, WHOLE, Link, Op, Phase, Twist
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.reference.winter_kingdom import ReferenceGame
from winterkingdom_env.reference.winter_kingdom.state import CardInPlay

FIVE = 5
NOT_USED = (int(Op.NOTHING), int(Op.MANDATORY_ON_NEXT_TERRAIN))
ABILITIES = {Level.QUICK: (0, 5), Level.SHORT: (0, 2, 5, 10), Level.FULL: (0, 1, 2, 3, 4, 5, 6, 8, 10)}
STARTS = (
    # name, players, seed, random actions before, depth: quick, short, full
    ("opening", 2, 7, 0, (2, 4, 4)),
    ("middle game", 3, 11, 120, (2, 4, 4)),
)
Sets = NDArray[np.uint32]
ONE = np.uint32(1)

# --- in plain numpy ---------------------------------------------------------------------------------------------------


def spread(cells: Sets, links: Sets) -> Sets:
    """Every hex that touches a hex of ``cells``; ``links`` (n, 3, WORDS) as in core.grid."""
    east, south, south_west = links[:, 0], links[:, 1], links[:, 2]
    out = ((cells & east) << ONE) | ((cells >> ONE) & east)
    below, above = cells[:, 1:], cells[:, :-1]
    out[:, :-1] |= (below & south[:, :-1]) | ((below << ONE) & south_west[:, :-1])
    out[:, 1:] |= (above & south[:, :-1]) | ((above & south_west[:, :-1]) >> ONE)
    return out


def look(games: np.ndarray, boards: np.ndarray) -> tuple[Sets, Sets]:
    """Hexes that touch an own piece, and free hexes where a piece may be placed, from the records."""
    rows, seats = np.arange(len(games)), games["seat"]
    free = make_rules()["area"][0, WHOLE] & ~games["taken"][:, 0]
    impasse = boards["twist"] == Twist.IMPASSE
    if impasse.any():  # no piece next to another player's
        near = games["near"][impasse]
        near[np.arange(len(near)), seats[impasse]] = 0
        free[impasse] &= ~np.bitwise_or.reduce(near, axis=1)
    return games["near"][rows, seats], free


def mandatory(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind for positions in the phase "mandatory"."""
    assert (games["phase"] == Phase.MANDATORY).all()
    rows, seats = np.arange(len(games)), games["seat"]
    near, free = look(games, boards)
    targets = boards["terrain"][rows, games["terrain"]] & free
    mobility = boards["twist"] == Twist.MOBILITY
    if mobility.any():
        near[mobility] |= spread(near[mobility], boards["links"][mobility])
    close = targets & near
    targets = np.where(close.any(axis=1, keepdims=True), close, targets)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    hexes[:, HOUSE] = np.where(games["houses_left"][rows, seats, None] > 0, targets, np.uint32(0))
    hexes[:, FORT] = np.where(games["forts_left"][rows, seats, None] > 0, targets, np.uint32(0))
    return hexes


def move_one_sources(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind for lifting a house to move by one hex."""
    _, free = look(games, boards)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    goal = free & boards["terrain"][:, BUILDABLE]
    hexes[:, LIFT] = spread(goal, boards["links"]) & games["houses"][np.arange(len(games)), games["seat"]]
    return hexes


def move_one_targets(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind for placing the lifted house one hex away."""
    _, free = look(games, boards)
    cells = make_rules()["cell"][0, games["lifted"]]
    start = np.zeros((len(games), layout.WORDS), np.uint32)
    start[np.arange(len(games)), cells >> 5] = ONE << (cells & 31).astype(np.uint32)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    hexes[:, HOUSE] = spread(start, boards["links"]) & free & boards["terrain"][:, BUILDABLE]
    return hexes


# --- positions by kind of decision ------------------------------------------------------------------------------------


def is_mandatory(game: wk.Game) -> bool:
    """Whether the second or third mandatory piece is placed next."""
    return game.phase == "mandatory"


def is_not_adjacent(game: wk.Game) -> bool:
    """Whether a mandatory piece is placed next and no free hex of its terrain touches an own piece, so all of them are legal."""
    if game.phase != "mandatory" or game.board["twist"][0] == layout.Twist.MOBILITY:
        return False
    near = look(game.record, game.board)[0][0]
    cells = [int(make_rules()["cell"][0, action]) for action in game.legal_actions() if action < layout.FORT_FIRST]
    return bool(cells) and not any(int(near[cell >> 5]) >> (cell & 31) & 1 for cell in cells)


def with_cards(pair: Pair, cards: Sequence[int]) -> Pair:
    """The same position with exactly these ability cards in play for the seat to move, upgraded and unused."""
    game, reference = pair.clone()
    seat, bits = game.seat, sum(1 << card for card in cards)
    game.record["in_play"][0, seat] = bits | 1 << layout.TUNNEL_CARD
    game.record["upgraded"][0, seat] = bits
    game.record["hand"][0, seat] &= ~np.uint32(bits)
    game.record["used"][0] = 0
    player, names = reference.player, [tables.CARDS[card].name for card in cards]
    player.in_play = {name: CardInPlay(upgraded=True) for name in names}
    player.hand -= set(names)
    player.tunnel_used = False
    reference._legal = None
    return Pair(wk.game_of(game.record, game.board), reference)


def with_random_cards(pair: Pair, n_cards: int, stream: Stream) -> Pair:
    """The same position with ``n_cards`` random upgraded abilities in play for the seat to move."""
    cards = list(range(layout.N_ABILITIES))
    stream.shuffle(cards)
    return with_cards(pair, cards[:n_cards])


class Use(NamedTuple):
    """A card and half with an op, and whether it can be used only after the card's other half."""

    card: int
    half: int
    follows: bool


def uses_of_ops() -> dict[Op, Use]:
    """For each op, the first card with it, preferably one that can be used directly."""
    direct: dict[Op, Use] = {}
    following: dict[Op, Use] = {}
    for number, card in enumerate(tables.CARDS):
        for half, op in enumerate((card.first, card.second)):
            if int(op) in NOT_USED:
                continue
            follows = half == 1 and card.link == Link.THEN
            (following if follows else direct).setdefault(op, Use(number, half, follows))
    return dict(sorted({**following, **direct}.items()))


def begin_use(pair: Pair, use: Use, stream: Stream) -> Pair | None:
    """The position with the card in play and its use started; None if the card cannot be used there."""
    begun = with_cards(pair, [use.card] if use.card != layout.TUNNEL_CARD else [])
    action = layout.USE_FIRST + 2 * use.card + (0 if use.follows else use.half)
    if action not in begun.game.legal_actions():
        return None
    begun.apply(action)
    while use.follows and begun.game.phase in ("build", "lift", "move"):
        legal = begun.game.legal_actions()
        begun.apply(legal[stream.draw(len(legal))])
    return begun if not use.follows or begun.game.phase == "follow" else None


def op_positions(use: Use, pool: Sequence[Pair], n: int, stream: Stream) -> dict[str, list[Pair]]:
    """Up to ``n`` positions per step of the op: "sources" to lift, then "targets" to move to or build on."""
    found: dict[str, list[Pair]] = {"sources": [], "targets": []}
    for pair in pool:
        if len(found["targets"]) == n:
            break
        begun = begin_use(pair, use, stream)
        if begun is None:
            continue
        if begun.game.phase == "lift":
            found["sources"].append(begun.clone())
            legal = begun.game.legal_actions()
            begun.apply(legal[stream.draw(len(legal))])
        found["targets"].append(begun)
    return {step: pairs for step, pairs in found.items() if pairs}


# --- the source for the suite -----------------------------------------------------------------------------------------


class Source(positions.Source):
    """Games with all cards and twists, in the engine and in the reference."""

    OPTIONS: ClassVar[dict[str, Any]] = {"twist": "random"}
    SOAK_OPTIONS: ClassVar[dict[str, Any]] = {"boards": "generated"}
    MAIN = "main phase"
    TWINS: ClassVar[dict[str, positions.Twin]] = {
        "mandatory placement": mandatory,
        "placement, no adjacent hex": mandatory,
        "MOVE_ONE sources": move_one_sources,
        "MOVE_ONE targets": move_one_targets,
    }
    TABLE_ROWS: ClassVar[tuple[Row, ...]] = (
        ("legal mask, mandatory placement, in a batch of 1,024 positions", "legal_moves", ("mandatory placement, kernel",)),
        ("the same where no hex of the terrain is adjacent", "legal_moves", ("placement, no adjacent hex, kernel",)),
        ("legal mask, main phase with five upgraded abilities", "legal_moves", ("main phase, five upgraded abilities, kernel",)),
        ("the same by the reference", "legal_moves", ("main phase, five upgraded abilities, reference",)),
    )  # fmt: skip
    N_FINGERPRINT = 72  # every twist with every economy

    def reference(self, setup: dict[str, Any]) -> ReferenceGame:
        """The reference game with this set-up."""
        return ReferenceGame(setup)

    def pick(self, legal: Sequence[int], stream: Stream) -> int:
        """With probability 0.5 an action that buys or uses a card, if there is one; otherwise any."""
        cards = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
        choice = cards if cards and stream.draw(2) else legal
        return choice[stream.draw(len(choice))]

    def is_main(self, game: wk.Game) -> bool:
        """Whether cards may be used."""
        return game.phase in ("before", "after")

    def is_middle(self, game: wk.Game) -> bool:
        """Whether cards may be used, in the middle of the game."""
        return self.is_main(game) and 4 <= game.round <= 10

    def scenes(self, budget: Budget) -> Iterator[Scene]:
        """The phases, then the sources and targets of every op."""
        n, seed = budget.choose(24, 1024, 1024), budget.seed
        yield Scene("phase", "mandatory placement", self.collect(is_mandatory, n, seed))
        most_steps = budget.choose(3_000, 60_000, 200_000)
        yield Scene("phase", "placement, no adjacent hex", self.collect(is_not_adjacent, n, seed + 1, most_steps))
        stream = Stream(seed)
        pool = self.collect(self.is_middle, budget.choose(48, 2 * n, 8 * n), seed + 2)
        yield Scene("phase", "main phase, cards as played", pool[:n])
        five = [with_random_cards(pair, FIVE, stream) for pair in pool[:n]]
        yield Scene("phase", "main phase, five upgraded abilities", five)
        for op, use in uses_of_ops().items():
            for step, found in op_positions(use, pool, n, stream).items():
                yield Scene("op", f"{op.name} {step}", found)

    def starts(self, level: int) -> Iterator[Start]:
        """An opening with two players and a middle game with three."""
        for name, players, seed, n_actions, depths in STARTS:
            game = wk.new_game(wk.Config(num_players=players, economy="Salvage"), seed=seed)
            yield Start(name, played(game, seed, n_actions)[0], depths)

    def variations(self, pool: Sequence[Pair], budget: Budget) -> Iterator[Variation]:
        """Main phases with none to ten upgraded abilities in play."""
        stream = Stream(budget.seed)
        for n_cards in ABILITIES[budget.level]:
            pairs = [with_random_cards(pair, n_cards, stream) for pair in pool]
            yield Variation(f"main phase, {n_cards} upgraded abilities", pairs, {"abilities": n_cards})

    def fingerprint_config(self, number: int) -> wk.Config:
        """All twists, economies and numbers of players, and generated boards in every 24th game."""
        twists = [None, *(card.name for card in tables.TWISTS)]
        return wk.Config(
            num_players=2 + number % 3,
            twist=twists[number % 9],
            economy=tables.ECONOMIES[number % 8].name,
            boards="generated" if number % 24 == 23 else "standard",
        )

    def ending(self, game: wk.Game) -> list[Any]:
        """The score sheet, the round, and the remaining terrain cards."""
        return [game.score_sheet(), game.round, game.snapshot()["draw_pile"]]
