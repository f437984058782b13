"""Sound positions of all kinds, and ways to make something of them wrong: for everything that carries the records of a game."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np

from tests.winter_kingdom.property.test_invariants import ECONOMIES, PLAYERS, TWISTS, begin, choose
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.layout import Condition
from winterkingdom_env.games.winter_kingdom.plain import make_state
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.games.winter_kingdom.saves import check_records, refresh_all
from winterkingdom_env.games.winter_kingdom.world import begin_games, make_world

FIELDS = [("record", name) for name in layout.GAME.names or ()] + [("board", name) for name in layout.BOARD.names or ()]
NAMES = {name for _, name in FIELDS}
DERIVED = ("near", "taken", "terrain", "touching", "links", "same", "spare")  # seldom worth a forgery
EDGES = (
    -128, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 18, 25, 26, 30, 31, 32, 33, 100, 101, 127, 426, 427, 1000, 32767,
)  # fmt: skip
MOST_STEPS = 30_000  # actions of a game: 100 rounds of 4 seats, each with less than 75


class Pool:
    """Positions of games of all kinds, one of every phase that each game meets; the same in every process."""

    def __init__(self, n_games: int, seed: int = 0) -> None:
        kinds = list(product(PLAYERS, ECONOMIES, TWISTS))
        random.Random(seed).shuffle(kinds)
        self.games: list[wk.Game] = []
        for i in range(n_games):
            game, dice = begin(*kinds[i % len(kinds)], seed + i)
            met: dict[str, wk.Game] = {}
            n = Counter[str]()
            while True:
                n[game.phase] += 1
                if dice.randrange(n[game.phase]) == 0:
                    met[game.phase] = game.clone()
                if game.is_over:
                    break
                game.apply(choose(game, dice))
            self.games += met.values()

    def draw(self, dice: random.Random) -> wk.Game:
        """A copy of a position, with a board of its own."""
        game = dice.choice(self.games)
        return game.clone()


# One change -----------------------------------------------------------------------------------------------------------


def forge(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """Change something in the records of a game; what follows from it is sometimes brought in line, to get past the first check."""
    for _ in range(dice.choices((1, 2, 3, 8), (60, 20, 10, 10))[0]):
        dice.choices((change_value, change_sets, change_pieces, change_cards, mix), (50, 10, 15, 15, 10))[0](
            game, pool, dice
        )
    if dice.random() < 0.5:
        bring_in_line(game)


def change_value(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """One number of one field: random, at an edge, beside the right one, a bit of it, or of another game."""
    part, name = dice.choice([entry for entry in FIELDS if entry[1] not in DERIVED or dice.random() < 0.1])
    field = getattr(game, part)[name].reshape(-1)
    info, i = np.iinfo(field.dtype), dice.randrange(field.size)
    bits = field.view(f"u{field.dtype.itemsize}")  # the same memory
    way = dice.randrange(5)
    if way == 0:
        field[i] = dice.randint(int(info.min), int(info.max))
    elif way == 1:
        field[i] = min(max(dice.choice((*EDGES, int(info.min), int(info.max))), int(info.min)), int(info.max))
    elif way == 2:
        bits[i] = (int(bits[i]) + dice.choice((-1, 1))) % (1 << 8 * field.dtype.itemsize)
    elif way == 3:
        bits[i] ^= bits.dtype.type(1 << dice.randrange(8 * field.dtype.itemsize))
    else:
        field[i] = getattr(pool.draw(dice), part)[name].reshape(-1)[i]


def change_sets(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """A hex more or less in a set."""
    part, name = dice.choice([entry for entry in FIELDS if getattr(game, entry[0])[entry[1]].shape[-1] == layout.WORDS])
    sets = getattr(game, part)[name][0]
    cell = dice.choice((int(dice.choice(make_rules()["cell"][0])), dice.randrange(32 * layout.WORDS)))
    sets[dice.randrange(len(sets)), cell >> 5] ^= np.uint32(1 << (cell & 31))


def change_pieces(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """A piece comes, goes or moves, with or without the supply."""
    pieces, supply = dice.choice((("houses", "houses_left"), ("forts", "forts_left")))
    seat = dice.randrange(dice.choice((game.n_players, layout.MAX_PLAYERS)))
    cell = int(dice.choice(make_rules()["cell"][0]))
    bit = np.uint32(1 << (cell & 31))
    row = game.record[pieces][0, seat]
    row[cell >> 5] ^= bit
    if dice.random() < 0.7:
        left = int(game.record[supply][0, seat]) + (-1 if row[cell >> 5] & bit else 1)
        game.record[supply][0, seat] = min(max(left, -128), 127)


def change_cards(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """Ability or terrain cards change places."""
    record = game.record[0]
    if dice.random() < 0.5:
        names = ("hand", "in_play", "upgraded")
        bit = np.uint32(1 << dice.randrange(layout.N_CARDS))
        for _ in range(2):
            record[dice.choice(names)][dice.randrange(game.n_players)] ^= bit
        return
    piles = ("draw_pile", "discard_pile", "terrain_card")
    one, other = record[dice.choice(piles)], record[dice.choice(piles)]
    i, k = dice.randrange(len(one)), dice.randrange(len(other))
    one[i], other[k] = int(other[k]), int(one[i])


def mix(game: wk.Game, pool: Pool, dice: random.Random) -> None:
    """A whole field, or the whole land, of another game."""
    other = pool.draw(dice)
    if dice.random() < 0.2:
        game.board[:] = other.board
        return
    part, name = dice.choice(FIELDS)
    getattr(game, part)[name] = getattr(other, part)[name]


def bring_in_line(game: wk.Game) -> None:
    """Renew what follows from the rest, if that can be done without harm."""
    terrain = game.board["terrain_at"]
    if terrain.min() >= 0 and terrain.max() < layout.N_TERRAINS:
        board, blank = game.board.copy(), wk.new_game(seed=0).record
        begin_games(make_world(1)._replace(games=blank, boards=board))
        for name in ("terrain", "touching", "links", "same"):
            game.board[name] = board[name]
    refresh_all(game.record, game.board)


# What was accepted ----------------------------------------------------------------------------------------------------


def assert_sound(game: wk.Game) -> None:
    """What must hold in every position, counted in plain Python: pieces, cards, coins, and somebody who can act."""
    state, table = make_state(game.record[0], game.board[0]), game.snapshot()
    has_salvage = (
        game.board["condition"][0] == Condition.SALVAGE
    )  # of whatever name: house rules may give it to any economy
    can_lose = has_salvage or table["twist"] == "Wolves"
    terrain = {entry["hex"]: entry["terrain"] for entry in table["hexes"]}
    taken: list[str] = []
    dealt: list[str] = []
    cards = state["draw_pile"] + state["discard_pile"]
    for player in state["players"]:
        assert 0 <= player["houses_left"] <= 32 and 0 <= player["forts_left"] <= 4 and player["coins"] >= 0
        houses, forts = player["houses_left"] + len(player["houses"]), player["forts_left"] + len(player["forts"])
        assert houses == 32 or (houses < 32 and can_lose)
        assert forts == 4 or (forts < 4 and can_lose)
        taken += player["houses"] + player["forts"]
        own = [*player["hand"], *(card["card"] for card in player["in_play"])]
        assert len(own) == 5
        dealt += own
        cards += [player["terrain_card"]] if player["terrain_card"] else []
    assert len(taken) == len(set(taken)) and len(dealt) == len(set(dealt))
    assert not {terrain[place] for place in taken} & {"tunnel", "village", "castle"}
    assert set(Counter(cards).values()) == {5} and len(cards) == 30
    assert 1 <= state["round"] <= 100 and 0 <= state["seat"] < game.n_players
    assert bool(game.legal_actions()) != game.is_over
    assert all(
        abs(points) < 4000 for points in game.scores()
    )  # three cards, 20 points at the most, 32 houses, and castles


def play_on(game: wk.Game, dice: random.Random, most: int = MOST_STEPS) -> int:
    """Play at random, to the end or for some actions, and look at every position; the number of actions."""
    for n in range(most + 1):
        if n < 30 or n % 8 == 0:
            check_records(game.record, game.board)
        if n % 64 == 0 or game.is_over:
            assert_sound(game)
        if game.is_over or n == most:
            break
        game.apply(choose(game, dice) if n < 30 else dice.choice(game.legal_actions()))
    assert game.is_over or most < MOST_STEPS, "the game does not end"
    return n
