"""Positions of real games, in the engine and in the reference at once, and the same with other cards in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks import numpy_twin
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.layout import Link, Op
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.reference.winter_kingdom import ReferenceGame
from winterkingdom_env.reference.winter_kingdom.state import CardInPlay

FIVE = 5
NOT_USED = (int(Op.NOTHING), int(Op.MANDATORY_ON_NEXT_TERRAIN))


class Pair(NamedTuple):
    """One position in both implementations."""

    game: wk.Game
    reference: ReferenceGame

    def clone(self) -> Pair:
        """An independent copy."""
        return Pair(self.game.clone(), self.reference.clone())

    def apply(self, action: int) -> None:
        """Carry out an action in both."""
        self.reference.apply(self.game.label(action))
        self.game.apply(action)


def random_games(seed: int, players: Sequence[int] = (2, 3, 4)) -> Iterator[Pair]:
    """Games with all cards and twists at every step of random play that likes to buy and use cards, without end."""
    stream = Stream(seed)
    while True:
        config = wk.Config(num_players=players[stream.draw(len(players))], twist="random")
        game = wk.new_game(config, seed=stream.draw(1 << 30))
        pair = Pair(game, ReferenceGame(game.setup()))
        while not game.is_over:
            yield pair
            legal = game.legal_actions()
            cards = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
            choice = cards if cards and stream.draw(2) else legal
            pair.apply(choice[stream.draw(len(choice))])


def collect(wanted: Callable[[wk.Game], bool], n: int, seed: int, most_steps: int = 200_000) -> list[Pair]:
    """Copies of up to ``n`` wanted positions: fewer if ``most_steps`` steps of random games have no more."""
    found: list[Pair] = []
    for step, pair in enumerate(random_games(seed)):
        if len(found) == n or step == most_steps:
            break
        if wanted(pair.game):
            found.append(pair.clone())
    return found


def is_mandatory(game: wk.Game) -> bool:
    """The second or third mandatory piece is to be placed."""
    return game.phase == "mandatory"


def is_main(game: wk.Game) -> bool:
    """Cards may be used, in the middle of the game."""
    return game.phase in ("before", "after") and 4 <= game.round <= 10


def is_not_adjacent(game: wk.Game) -> bool:
    """A mandatory piece is to be placed, and no free hex of its terrain touches an own piece: all of them are open."""
    if game.phase != "mandatory" or game.board["twist"][0] == layout.Twist.MOBILITY:
        return False
    near = numpy_twin.look(game.record, game.board)[0][0]
    cells = [int(make_rules()["cell"][0, action]) for action in game.legal_actions() if action < layout.FORT_FIRST]
    return bool(cells) and not any(int(near[cell >> 5]) >> (cell & 31) & 1 for cell in cells)


def with_cards(pair: Pair, cards: Sequence[int]) -> Pair:
    """The same position with these ability cards in play for the seat to move: upgraded, unused, and no others."""
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
    """A card and half by which an op comes into play, and whether it does so only after the card's other half."""

    card: int
    half: int
    follows: bool


def uses_of_ops() -> dict[Op, Use]:
    """For each op that a card lets one carry out, the first card that does; one that can be used directly if there is any."""
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
    """The position with the card in play and its use begun; None if the card cannot be used there."""
    begun = with_cards(pair, [use.card] if use.card != layout.TUNNEL_CARD else [])
    action = layout.USE_FIRST + 2 * use.card + (0 if use.follows else use.half)
    if action not in begun.game.legal_actions():
        return None
    begun.apply(action)
    while use.follows and begun.game.phase in ("build", "lift", "move"):
        legal = begun.game.legal_actions()
        begun.apply(legal[stream.draw(len(legal))])
    return begun if not use.follows or begun.game.phase == "follow" else None


def op_positions(op: Op, use: Use, pool: Sequence[Pair], n: int, stream: Stream) -> dict[str, list[Pair]]:
    """Up to ``n`` positions per step of carrying out the op: "sources" to lift, then "targets" to go to or build on."""
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
