"""The check of tiles, gold and terrain cards of untrusted GAME records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from winterkingdom_env.games.kingdom_builder.check_board import CELLS, cells_of, measures_of, sites_with
from winterkingdom_env.games.kingdom_builder.check_pieces import lifter_of
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Measure, Phase, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import (
    CARD_COPIES,
    FIRST_IN_PLAY,
    FIRST_NOMAD,
    MOST_SITES,
    N_BASIC,
    N_CARDS,
    NONE,
    SCORING_IN_PLAY,
    TILES_PER_HEX,
    TREASURE_GOLD,
    TREASURE_PAID,
)
from winterkingdom_env.games.kingdom_builder.tables import CARD_NAMES, USES

MOST_PAYMENTS = 100  # to a seat in a round: more than it has pieces
NOTED = {use.needs for use in USES if isinstance(use.needs, Tile) and use.needs < FIRST_NOMAD} | {Tile.BAZAAR}


def tile_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with tiles. Each check relies on those before it."""
    every, treasures = (1 << int(board["n_sites"])) - 1, sites_with(board, Tile.TREASURE)
    for seat in range(board["n_players"]):
        took, held, fresh, used = (int(game[name][seat]) for name in ("took", "held", "fresh", "used"))
        if took & ~every:
            yield f"took of seat {seat} is {took:#x}, with {board['n_sites']} sites"
        if held & ~(took & ~treasures):
            yield f"held of seat {seat} is {held:#x}, with a tile that it never took or cannot keep"
        if fresh & ~held:
            yield f"fresh of seat {seat} is {fresh:#x}, with a tile that it does not hold"
        if used & ~(held & ~fresh):
            yield f"used of seat {seat} is {used:#x}, with a tile that it does not hold or took in this turn"
    kinds, left, tooks = board["site_tile"].tolist(), game["tiles_left"].tolist(), game["took"].tolist()
    for site in range(MOST_SITES):
        n = 0 if kinds[site] == NONE else 1 if kinds[site] >= FIRST_NOMAD else TILES_PER_HEX
        n_taken = sum(took >> site & 1 for took in tooks)
        if left[site] != n - n_taken:
            yield f"tiles_left of site {site} is {left[site]}; {n_taken} of {n} were taken"
    is_over = game["phase"] >= Phase.SILO
    if not is_over:
        yield from _touch_flaws(game, board)
    for seat in range(board["n_players"]):
        is_turn = seat == game["turn_seat"] and not is_over
        yield from _own_flaws(seat, game, board) if is_turn else _foreign_flaws(seat, game, board)
    yield from _noted_flaws(game, board)


def _touch_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """A location tile is lost with the last piece at its hex, and whoever comes there takes one (p. 3). Silos do neither."""
    hexes, kinds = board["site_hex"].tolist(), board["site_tile"].tolist()
    for seat in range(board["n_players"]):
        near, took, held = cells_of(game["near"][seat]), int(game["took"][seat]), int(game["held"][seat])
        for site in range(board["n_sites"]):
            touches = near >> CELLS[hexes[site]] & 1
            if touches and game["tiles_left"][site] and not took >> site & 1:
                yield f"took of seat {seat} lacks site {site}, which has tiles and touches a piece of it"
            if touches or kinds[site] >= FIRST_NOMAD or seat == lifter_of(game):
                continue
            if held >> site & 1:
                yield f"held of seat {seat} has the tile of site {site}, which touches none of its pieces"


def _foreign_flaws(seat: int, game: np.void, board: np.void) -> Iterator[str]:
    """A seat whose turn it is not can only have reacted with canoes."""
    is_over, has_canoes = game["phase"] >= Phase.SILO, bool(board["has_canoes"])
    for name in ("bonus_used", "held_pieces"):
        if game[name][seat]:
            yield f"{name} of seat {seat} is {game[name][seat]}, although it is not its turn"
    used, is_last = int(game["used"][seat]), is_over and seat == board["n_players"] - 1
    if used & ~(0 if is_last else sites_with(board, Tile.CANOE)):
        yield f"used of seat {seat} is {used:#x}, although it is not its turn"
    for name in ("fresh", "rovers"):
        if game[name][seat] and (is_over or not has_canoes):
            yield f"{name} of seat {seat} is {game[name][seat]}, although it is not its turn"


def _own_flaws(seat: int, game: np.void, board: np.void) -> Iterator[str]:
    """What a seat uses in its turn is remembered, and needs a tile that it took."""
    noted, bonus_used = int(game["used_tiles"]), int(game["bonus_used"][seat])
    kinds, used = board["site_tile"].tolist(), int(game["used"][seat])
    for site in range(board["n_sites"]):
        if used >> site & 1 and kinds[site] in NOTED and not noted >> kinds[site] & 1:
            yield f"used of seat {seat} has the tile of site {site}, which used_tiles lacks"
    took = int(game["took"][seat])
    may_use = {
        Bonus.REFUGE: (sites_with(board, Tile.REFUGE) & took).bit_count() > 1,
        Bonus.CANOE: (sites_with(board, Tile.CANOE) & took).bit_count() > 1,
        Bonus.FARMLAND: bool(board["terrain"][Terrain.FARMLAND].any()),
        Bonus.CAVE: bool(board["caves"].any()),
    }
    if any(bonus_used >> bonus & 1 and not is_open for bonus, is_open in may_use.items()):
        yield f"bonus_used of seat {seat} is {bonus_used}, with a bonus that it does not have"
    if game["held_pieces"][seat] and not noted >> Tile.TEMPLE & 1:
        yield f"held_pieces of seat {seat} is {game['held_pieces'][seat]}, although it did not use a temple"
    if game["scouts"].any() and not noted >> Tile.SCOUT_CABIN & 1:
        yield "scouts is not empty, although no scout cabin was used"


def _noted_flaws(game: np.void, board: np.void) -> Iterator[str]:
    seat, noted = int(game["turn_seat"]), int(game["used_tiles"])
    took, kinds = int(game["took"][seat]), board["site_tile"].tolist()
    taken = {kind for site, kind in enumerate(kinds) if took >> site & 1}
    allowed = 0 if game["phase"] >= Phase.SILO else sum(1 << tile for tile in NOTED & taken)
    if noted & ~allowed:
        yield f"used_tiles is {noted:#x}; seat {seat} can have used {allowed:#x}"
    if game["phase"] >= Phase.SILO and game["scouts"].any():
        yield "scouts is not empty after the last turn"
    n_bazaars = (sites_with(board, Tile.BAZAAR) & took).bit_count() if noted >> Tile.BAZAAR & 1 else 0
    if game["extra_cards"] > (n_bazaars if Tile.CROSSROADS in taken else 0):
        yield f"extra_cards is {game['extra_cards']}, more than bazaars were used for"


def gold_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with gold paid so far."""
    treasures, measures = sites_with(board, Tile.TREASURE), measures_of(board)
    for seat in range(board["n_players"]):
        paid = game["paid"][seat].tolist()
        for k in range(SCORING_IN_PLAY):
            gold = int(board["gold"][k]) if measures[k] >= FIRST_IN_PLAY else 0
            if not _is_paid(paid[k], gold, MOST_PAYMENTS * int(game["round"])):
                yield f"paid of seat {seat} is {paid}, which its scoring cards cannot have paid"
        if paid[TREASURE_PAID] != TREASURE_GOLD * (treasures & int(game["took"][seat])).bit_count():
            yield f"paid of seat {seat} is {paid}, which does not fit its treasures"
        if game["rovers"][seat] and Measure.ROVERS not in measures:
            yield f"rovers of seat {seat} is {game['rovers'][seat]}, without the card Rovers"


def _is_paid(paid: int, gold: int, most: int) -> bool:
    """Whether this is at most so many times the gold of a card."""
    if gold == 0:
        return paid == 0
    times, rest = divmod(paid, gold)
    return rest == 0 and 0 <= times <= most


def card_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with terrain cards: cards that are lost or doubled, and piles that are no piles."""
    counts = np.array(game["out"], int)
    for name in ("deck", "discards"):
        n = int(game[f"n_{name}"])
        if game[name][n:].any():
            yield f"{name} has cards above its {n}"
        counts += np.bincount(game[name][:n], minlength=N_CARDS)
    for seat in range(board["n_players"]):
        hand, n = game["hand"][seat], int(game["n_hand"][seat])
        if (hand[:n] == NONE).any() or (hand[n:] != NONE).any():
            yield f"hand of seat {seat} is {hand.tolist()}, with {n} cards"
        counts += np.bincount(hand[:n].clip(0), minlength=N_CARDS)
        took = int(game["took"][seat])
        most = 1 + bool(sites_with(board, Tile.CROSSROADS) & took)
        if n > most + (most == 2 and bool(sites_with(board, Tile.BAZAAR) & took)):
            yield f"n_hand of seat {seat} is {n}, more than it can draw"
    n_swamps = 1 if counts[N_BASIC:].any() else 0
    wanted = [CARD_COPIES] * N_BASIC + [n_swamps] * (N_CARDS - N_BASIC)
    for card in range(N_CARDS):
        if counts[card] != wanted[card]:
            yield f"deck, discards, hand and out have {counts[card]} cards of {CARD_NAMES[card]}, not {wanted[card]}"
        if board["removed"] != NONE and card % N_BASIC == board["removed"] and game["out"][card] != wanted[card]:
            yield f"out has {game['out'][card]} cards of {CARD_NAMES[card]}, which is removed"
