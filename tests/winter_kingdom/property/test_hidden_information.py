"""What is hidden from a seat changes nothing that it is shown: hands, terrain cards, piles, the random stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from tests.winter_kingdom.property.test_invariants import ECONOMIES, PLAYERS, TWISTS, begin, choose, positions
from winterkingdom_env.games import winter_kingdom as wk

N_ABILITIES, N_CARD_TERRAINS = 25, 6
LEGAL_PLANES = [wk.OBSERVATION.plane(f"legal_{verb}") for verb in ("house", "fort", "lift")]


def ended_games() -> Iterator[wk.Game]:
    """Games that are over, one of each size."""
    for players in PLAYERS:
        game, dice = begin(players, ECONOMIES[players], TWISTS[players], seed=players)
        while not game.is_over:
            game.apply(choose(game, dice))
        yield game


def many_positions(n_games: int, every: int, seed: int) -> Iterator[wk.Game]:
    """Positions from everywhere in games of all kinds."""
    yield from positions(n_games, every, seed)
    yield from ended_games()


def sight(game: wk.Game, seat: int) -> tuple[bytes, ...]:
    """All that a seat is shown, in both forms, byte by byte."""
    planes, packed = game.observe(seat, "planes"), game.observe(seat, "packed")
    parts = (planes["observation"], planes["vector"], planes["action_mask"], packed["observation"])
    assert np.array_equal(planes["action_mask"], packed["action_mask"])
    return tuple(part.tobytes() for part in parts)


def sights(game: wk.Game) -> list[tuple[bytes, ...]]:
    return [sight(game, seat) for seat in range(game.n_players)]


def altered(game: wk.Game, change: Callable[[np.void], None]) -> wk.Game:
    """A copy whose record was changed by hand, with what is legal in it."""
    record = game.record.copy()
    change(record[0])
    return wk.game_of(record, game.board)


def others(game: wk.Game, seat: int) -> list[int]:
    return [other for other in range(game.n_players) if other != seat]


def is_revealed(game: wk.Game, seat: int) -> bool:
    """Whether a seat's terrain card lies open: its turn has begun and is not over."""
    return seat == game.seat and not game.is_over


def differences(game: wk.Game, dealt: wk.Game, seat: int) -> set[str]:
    """What is really another in a game that was resampled for a seat."""
    mine, theirs = game.record[0], dealt.record[0]
    found = {name for name in ("draw_pile", "rng") if mine[name].tobytes() != theirs[name].tobytes()}
    for other in others(game, seat):
        if mine["hand"][other] != theirs["hand"][other]:
            found.add("hand")
        if mine["terrain_card"][other] != theirs["terrain_card"][other]:
            found.add("terrain_card")
        if sight(game, other) != sight(dealt, other):
            found.add("sight of another seat")
            if dealt.observe(other)["action_mask"].tobytes() != game.observe(other)["action_mask"].tobytes():
                found.add("mask of another seat")
    return found


def test_dealt_anew__the_seat_that_looks__is_shown_the_same() -> None:
    n, seen = 0, Counter[str]()
    for game in many_positions(n_games=48, every=47, seed=1):
        for seat in range(game.n_players):
            before = sight(game, seat)
            for seed in range(3):
                dealt = game.determinize(seat, seed)
                assert sight(dealt, seat) == before, f"seat {seat} of {game}, resampled with seed {seed}"
                seen.update(differences(game, dealt, seat))
                n += 1
    assert n > 1500
    assert seen["rng"] == n
    for name in ("hand", "draw_pile", "sight of another seat"):
        assert seen[name] > 0.9 * n, f"{name} was another in {seen[name]} of {n} resampled games"
    assert seen["terrain_card"] > 0.5 * n
    assert seen["mask of another seat"] > 30


def test_dealt_anew__with_several_seeds__differs_from_each_other() -> None:
    game = next(positions(n_games=1, every=60, seed=5))
    assert len({game.determinize(0, seed).to_bytes() for seed in range(8)}) == 8


def test_a_seat_that_is_not_to_move__is_shown_nothing_legal() -> None:
    n_asked = n_not = 0
    for game in many_positions(n_games=36, every=23, seed=2):
        for seat in range(game.n_players):
            seen = game.observe(seat)
            legal = seen["action_mask"].any() or seen["observation"][LEGAL_PLANES].any()
            assert legal == is_revealed(game, seat), f"seat {seat} of {game}"
            assert seen["action_mask"].any() == is_revealed(game, seat)
            n_asked += is_revealed(game, seat)
            n_not += not is_revealed(game, seat)
    assert n_asked > 200 and n_not > 400


def test_anothers_terrain_card__is_shown_only_when_revealed() -> None:
    n_hidden = n_revealed = 0
    for game in many_positions(n_games=36, every=47, seed=3):
        for owner in range(game.n_players):
            card = (game.record["terrain_card"][0, owner] + 1) % N_CARD_TERRAINS

            def play_other_card(record: np.void, owner: int = owner, card: int = card) -> None:
                record["terrain_card"][owner] = card

            other = altered(game, play_other_card)
            assert sight(other, owner) != sight(game, owner)
            for seat in others(game, owner):
                assert (sight(other, seat) != sight(game, seat)) == is_revealed(game, owner), f"seat {seat} of {game}"
                n_revealed += is_revealed(game, owner)
                n_hidden += not is_revealed(game, owner)
    assert n_hidden > 200 and n_revealed > 100


def test_anothers_hand__is_nowhere() -> None:
    n = 0
    for game in many_positions(n_games=36, every=47, seed=4):
        known = int(np.bitwise_or.reduce(game.record["hand"][0] | game.record["in_play"][0]))
        box = [card for card in range(N_ABILITIES) if not known >> card & 1]
        for owner in range(game.n_players):
            hand = int(game.record["hand"][0, owner])
            if not hand:
                continue

            def hold_other_card(record: np.void, owner: int = owner, hand: int = hand, box: list[int] = box) -> None:
                record["hand"][owner] = hand & hand - 1 | 1 << box[0]  # the lowest card goes back to the box

            other = altered(game, hold_other_card)
            assert sight(other, owner) != sight(game, owner)
            for seat in others(game, owner):
                assert sight(other, seat) == sight(game, seat), f"seat {seat} of {game}"
                n += 1
    assert n > 300


def exchange(pile: np.ndarray) -> bool:
    """Change places of the top card and the next one below that is another; whether there is one."""
    for i in range(len(pile) - 2, -1, -1):
        if pile[i] != pile[-1]:
            pile[i], pile[-1] = int(pile[-1]), int(pile[i])
            return True
    return False


def test_order_of_the_piles_and_random_stream__are_nowhere() -> None:
    n = Counter[str]()

    def draw_other_numbers(record: np.void) -> None:
        record["rng"] ^= np.uint64(0x5555_5555_5555_5555)
        n["rng"] += 1

    def draw_in_other_order(record: np.void) -> None:
        n["draw_pile"] += exchange(record["draw_pile"][: record["n_draw"]])

    def discard_in_other_order(record: np.void) -> None:
        n["discard_pile"] += exchange(record["discard_pile"][: record["n_discard"]])

    for game in many_positions(n_games=36, every=47, seed=6):
        before = sights(game)
        for change in (draw_other_numbers, draw_in_other_order, discard_in_other_order):
            n_changed = n.total()
            other = altered(game, change)
            assert (other.to_bytes() != game.to_bytes()) == (n.total() > n_changed)
            assert sights(other) == before, f"{change.__name__} in {game}"
    assert min(n[name] for name in ("rng", "draw_pile", "discard_pile")) > 100


def hold_cards_from_the_box(game: wk.Game, seat: int) -> Callable[[np.void], None] | None:
    """Each hand but the seat's gives its lowest card back and takes one from the box; None if all hands are empty."""
    known = int(np.bitwise_or.reduce(game.record["hand"][0] | game.record["in_play"][0]))
    box = [card for card in range(N_ABILITIES) if not known >> card & 1]
    owners = [owner for owner in others(game, seat) if game.record["hand"][0, owner]]

    def change(record: np.void) -> None:
        for owner, card in zip(owners, box, strict=False):
            hand = int(record["hand"][owner])
            record["hand"][owner] = hand & hand - 1 | 1 << card

    return change if owners else None


def exchange_hidden_cards(game: wk.Game, seat: int) -> Callable[[np.void], None] | None:
    """A hidden terrain card changes places with another one on the draw pile; None if there is none."""
    cards, pile = game.record["terrain_card"][0], game.record["draw_pile"][0, : game.record["n_draw"][0]]
    pairs = [
        (owner, place)
        for owner in others(game, seat)
        for place in range(len(pile))
        if not is_revealed(game, owner) and cards[owner] >= 0 and cards[owner] != pile[place]
    ]

    def change(record: np.void) -> None:
        owner, place = pairs[0]
        record["terrain_card"][owner], record["draw_pile"][place] = int(pile[place]), int(cards[owner])

    return change if pairs else None


def turn_pile_and_stream(game: wk.Game, seat: int) -> Callable[[np.void], None] | None:
    """The draw pile upside down, and other random numbers to come."""

    def change(record: np.void) -> None:
        n = int(record["n_draw"])
        record["draw_pile"][:n] = record["draw_pile"][:n][::-1].copy()
        record["rng"] ^= np.uint64(0x5555_5555_5555_5555)

    return change


def test_dealt_anew__games_that_differ_in_what_is_hidden__give_the_same_game() -> None:
    n = Counter[str]()
    for game in many_positions(n_games=48, every=29, seed=7):
        for seat in range(game.n_players):
            for differing in (hold_cards_from_the_box, exchange_hidden_cards, turn_pile_and_stream):
                change = differing(game, seat)
                if change is None:
                    continue
                other = altered(game, change)
                assert other.to_bytes() != game.to_bytes()
                for seed in (0, 12345):
                    assert other.determinize(seat, seed).to_bytes() == game.determinize(seat, seed).to_bytes(), (
                        f"{differing.__name__}, seat {seat} of {game}"
                    )
                n[differing.__name__] += 1
    assert len(n) == 3 and min(n.values()) > 300


def test_dealt_anew__hidden_cards__are_dealt_with_equal_chances() -> None:
    game = next(positions(n_games=1, every=40, seed=3))
    seat = game.seat
    other = others(game, seat)[0]
    hidden = Counter(game.record["draw_pile"][0, : game.record["n_draw"][0]].tolist())
    hidden[int(game.record["terrain_card"][0, other])] += 1
    n, seen, top = 6000, Counter[int](), Counter[int]()
    for seed in range(n):
        record = game.determinize(seat, seed).record[0]
        seen[int(record["terrain_card"][other])] += 1
        top[int(record["draw_pile"][record["n_draw"] - 1])] += 1
    for drawn in (seen, top):
        # Chi-squared with at most five degrees of freedom: 25 is exceeded once in 7,000 trials, and the seeds are fixed.
        expected = {card: n * count / hidden.total() for card, count in hidden.items()}
        assert drawn.keys() == expected.keys()
        assert sum((drawn[card] - expected[card]) ** 2 / expected[card] for card in expected) < 25
