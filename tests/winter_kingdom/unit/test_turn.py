"""A turn after the building (p. 5), terrain cards (p. 5, 6), and how a game ends (p. 7)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.winter_kingdom.position import Table, position
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.reference.winter_kingdom import ReferenceGame

# Three rows of every card terrain: enough for a few turns of anybody.
LAND = """
    L  L  T  T  F  F  G
      L  L  T  T  F  F  G
        G  G  S  S  W  W  S
          G  G  S  S  W  W
"""


def open_land(players: int) -> Table:
    """An empty drawn table with as many players."""
    return position(rest="tundra", land={"r13c13": "forest"}, players=players)


def change(table: Table, seat: int = 0, round_: int | None = None, **values: int | str | None) -> Table:
    """Change what a seat has (coins, houses_left, forts_left, terrain_card) in both implementations."""
    record, player = table.game.record[0], table.reference.position.players[seat]
    for key, value in values.items():
        setattr(player, key, value)
        record[key][seat] = tables.TERRAIN_NAMES.index(value) if isinstance(value, str) else value
    if round_ is not None:
        record["round"] = table.reference.round = round_
    return Table(wk.game_of(table.game.record, table.game.board), _asked_anew(table))


def stack(table: Table, draw: tuple[str, ...], discards: tuple[str, ...]) -> Table:
    """Lay the draw pile (next card first) and the discards (oldest first) in both implementations."""
    record, deck = table.game.record[0], table.reference.deck
    deck.pile, deck.discards = list(reversed(draw)), list(discards)
    for key, size, pile in (("draw_pile", "n_draw", deck.pile), ("discard_pile", "n_discard", deck.discards)):
        record[key] = 0
        record[key][: len(pile)] = [tables.TERRAIN_NAMES.index(card) for card in pile]
        record[size] = len(pile)
    return Table(wk.game_of(table.game.record, table.game.board), _asked_anew(table))


def _asked_anew(table: Table) -> ReferenceGame:
    """The reference, which forgets what was legal before the change."""
    table.reference._legal = None
    return table.reference


def piles(table: Table) -> tuple[list[str], list[str]]:
    """Draw pile and discards."""
    snapshot = table.game.snapshot()
    return snapshot["draw_pile"], snapshot["discard_pile"]


def finish_turn(table: Table) -> Table:
    """Build what must be built and end the turn without a purchase."""
    seat, round_ = table.seat, table.game.round
    while (table.seat, table.game.round) == (seat, round_) and table.phase != "over":
        table.play("done" if "done" in table.legal() else min(label for label in table.legal() if "house" in label))
    return table


def purchases(table: Table) -> set[str]:
    """The purchases that are legal now."""
    return {label for label in table.legal() if label.split()[0] in ("acquire", "upgrade", "triple")}


# The purchase


@pytest.mark.rule("p. 5, acquire")
def test_acquire__price_paid__card_comes_into_play_and_is_usable_in_the_next_turn() -> None:
    table = position(LAND, hand=("Pasture", "Mule"), coins=4)
    assert table.uses() == set()  # what is in the hand is no ability yet
    table.play("house r11c13", "house r11c14", "house r12c13")
    assert purchases(table) == {"acquire Pasture", "acquire Mule"}
    table.play("acquire Pasture")
    assert table.coins(0) == 1
    assert table.player(0)["hand"] == ["Mule"]
    assert table.player(0)["in_play"] == [{"card": "Pasture", "upgraded": False, "used": False, "used_halves": []}]
    assert table.seat == 1  # not usable this turn: it is over
    assert "Pasture I" not in table.uses()  # nor is it the next player's
    finish_turn(table)
    assert (table.seat, table.phase) == (0, "before")
    assert "Pasture I" in table.uses()


@pytest.mark.rule("p. 5, acquire")
@pytest.mark.parametrize(("coins", "legal"), [(0, False), (2, False), (3, True), (9, True)])
def test_acquire__coins__must_suffice(coins: int, legal: bool) -> None:
    table = position(LAND, hand=("Pasture",), coins=coins, phase="after")
    assert ("acquire Pasture" in table.legal()) == legal


@pytest.mark.rule("p. 5, acquire")
def test_acquire__card_of_another_hand_or_in_play__illegal() -> None:
    table = position(LAND, hand=("Pasture",), in_play=("Mule",), coins=20, phase="after")
    assert {label for label in table.legal() if label.startswith("acquire")} == {"acquire Pasture"}


@pytest.mark.rule("p. 5, one purchase")
def test_purchase__before_and_during_the_mandatory_action__illegal() -> None:
    table = position(LAND, hand=("Pasture",), in_play=("Mule",), coins=20)
    for action in ("house r11c13", "house r11c14", "house r12c13"):
        assert purchases(table) == set()
        table.play(action)
    assert purchases(table) == {"acquire Pasture", "upgrade Mule", "triple Mule", "triple Tunnel"}


@pytest.mark.rule("p. 5, one purchase")
@pytest.mark.parametrize("action", ["acquire Pasture", "upgrade Mule", "done"])
def test_purchase__made_or_skipped__the_turn_is_over(action: str) -> None:
    table = position(LAND, hand=("Pasture", "Horse"), in_play=("Mule",), coins=20, phase="after")
    assert table.play(action).seat == 1


@pytest.mark.rule("p. 5, one purchase")
def test_purchase__skipped__coins_are_kept() -> None:
    table = position(LAND, hand=("Pasture",), in_play=("Mule",), coins=7, phase="after")
    table.play("done")
    assert table.coins(0) == 7
    assert table.player(0)["hand"] == ["Pasture"]
    assert [card["upgraded"] for card in table.player(0)["in_play"]] == [False]


@pytest.mark.rule("p. 5, one purchase")
def test_purchase__special_action_after_the_mandatory_one__comes_first() -> None:
    table = position(LAND, pieces={"r11c11": "a"}, hand=("Pasture",), in_play=("Mule",), coins=3, phase="after")
    table.play("use Mule I", "lift r11c11")
    assert purchases(table) == set()
    table.play("house r11c12")
    assert purchases(table) == {"acquire Pasture", "upgrade Mule"}


@pytest.mark.rule("p. 5, upgrade")
@pytest.mark.parametrize("is_used", [False, True])
def test_upgrade__used_or_not__second_half_from_the_next_turn_on(is_used: bool) -> None:
    table = position(LAND, pieces={"r14c14": "a"}, in_play=("Toboggan",), coins=3, phase="after")
    if is_used:
        table.play("use Toboggan I", "lift r14c14", "house r14c13")
    assert table.uses() == (set() if is_used else {"Toboggan I"})
    table.play("upgrade Toboggan")
    assert (table.seat, table.coins(0)) == (1, 2)
    assert table.player(0)["in_play"] == [{"card": "Toboggan", "upgraded": True, "used": False, "used_halves": []}]
    finish_turn(table)
    assert table.uses() == {"Toboggan I", "Toboggan II"}


@pytest.mark.rule("p. 5, upgrade")
def test_upgrade__in_hand_or_upgraded_or_tunnel_or_too_dear__illegal() -> None:
    cards: dict[str, Any] = {"hand": ("Pasture",), "in_play": ("Mule+", "Market", "Sleigh")}
    table = position(LAND, coins=1, phase="after", **cards)
    assert purchases(table) == {"upgrade Sleigh"}  # Market's second half costs 2
    table = position(LAND, coins=2, phase="after", **cards)
    assert purchases(table) == {"upgrade Sleigh", "upgrade Market"}


# Clean-up


@pytest.mark.rule("p. 5, clean up")
def test_clean_up__terrain_card__goes_to_the_discards_and_the_next_one_is_drawn() -> None:
    table = position(LAND, played="tundra", next_cards=("forest", "snowscape", "grassland"))
    table = change(table, 1, terrain_card="flower field")
    finish_turn(table)
    assert (table.player(0)["terrain_card"], table.player(1)["terrain_card"]) == ("forest", "flower field")
    assert piles(table) == (["snowscape", "grassland"], ["tundra"])
    finish_turn(table)
    assert (table.player(0)["terrain_card"], table.player(1)["terrain_card"]) == ("forest", "snowscape")
    assert piles(table) == (["grassland"], ["tundra", "flower field"])


@pytest.mark.rule("p. 5, clean up")
def test_clean_up__tokens__are_refreshed() -> None:
    drawing = LAND.replace("L  L  T", "La U  T", 1).replace("F  F  G", "F  U  G", 1)
    table = position(drawing, in_play=("Toboggan",), phase="after", next_cards=("tundra",) * 9)
    table.play("use Toboggan I", "lift r11c11", "house r12c11", "use Tunnel", "lift r12c11", "house r12c15")
    assert table.player()["in_play"][0]["used"]
    assert table.player()["tunnel_used"]
    assert table.uses() == set()
    finish_turn(finish_turn(table))
    assert table.seat == 0
    assert not table.player()["in_play"][0]["used"]
    assert not table.player()["tunnel_used"]
    assert table.uses() == {"Toboggan I", "Tunnel"}


@pytest.mark.rule("p. 5, clean up")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats__in_order__a_round_is_one_turn_for_each(players: int) -> None:
    table = open_land(players)
    order = []
    for _ in range(2 * players + 1):
        order.append((table.game.round, table.seat))
        finish_turn(table)
    assert order == [(1, s) for s in range(players)] + [(2, s) for s in range(players)] + [(3, 0)]


@pytest.mark.rule("p. 5, reshuffle")
def test_reshuffle__draw_pile_empty__discards_become_it() -> None:
    table = stack(change(position(LAND), 1, terrain_card="forest"), ("grassland",), ("snowscape", "flower field"))
    finish_turn(table)
    assert table.player(0)["terrain_card"] == "grassland"
    assert piles(table) == ([], ["snowscape", "flower field", "tundra"])  # not before a card is needed
    finish_turn(table)
    draw, discards = piles(table)
    assert discards == []
    # its own card has been discarded first: it is among the shuffled ones
    assert Counter([table.player(1)["terrain_card"], *draw]) == Counter(
        ["snowscape", "flower field", "tundra", "forest"]
    )


@pytest.mark.rule("p. 5, reshuffle")
def test_reshuffle__many_games__every_card_can_come_first() -> None:
    found = set()
    for state in range(20):
        table = stack(position(LAND, phase="after"), (), ("snowscape", "flower field"))
        table.reference.deck.random.state = state << 40
        table.game.record["rng"] = state << 40
        found.add(table.play("done").player(0)["terrain_card"])
    assert found == {"snowscape", "flower field", "tundra"}


# Terrain without a free hex


@pytest.mark.rule("p. 6, terrain exhausted")
def test_exhausted__drawn__discarded_at_once_and_replaced() -> None:
    full = "T  T  T  Wa Wb G "
    table = position(full, next_cards=("forest", "forest", "grassland", "tundra"))
    table = change(table, 1, terrain_card="grassland")
    table.play("house r11c13", "house r11c12", "house r11c11", "done")
    assert table.player(0)["terrain_card"] == "grassland"
    assert piles(table) == (["tundra"], ["tundra", "forest", "forest"])


@pytest.mark.rule("p. 6, terrain exhausted")
def test_exhausted__filled_meanwhile__replaced_when_revealed() -> None:
    table = change(position("T  T  T  F  G ", next_cards=("grassland", "flower field")), 1, terrain_card="tundra")
    table.play("house r11c11", "house r11c12", "house r11c13")
    assert table.player(1)["terrain_card"] == "tundra"  # still hidden
    table.play("done")
    assert (table.seat, table.player(1)["terrain_card"]) == (1, "flower field")
    assert table.hexes() == {"r11c14"}
    assert piles(table) == ([], ["tundra", "tundra"])


@pytest.mark.rule("p. 6, terrain exhausted")
def test_exhausted__one_free_hex__the_card_is_good() -> None:
    table = change(position("T  T  T  T  G ", next_cards=("grassland",) * 2), 1, terrain_card="tundra")
    table.play("house r11c11", "house r11c12", "house r11c13", "done")
    assert table.player(1)["terrain_card"] == "tundra"
    assert table.hexes() == {"r11c14"}


@pytest.mark.rule("p. 6, terrain exhausted")
def test_exhausted__reshuffle_while_replacing__goes_on_through_the_discards() -> None:
    table = stack(position("T  T  Wa Wb G "), ("forest",), ("forest", "grassland"))
    table = change(table, 1, terrain_card="grassland")
    table.play("house r11c12", "house r11c11", "done")
    draw, discards = piles(table)
    assert table.player(0)["terrain_card"] == "grassland"  # the only one with a free hex
    assert Counter(draw + discards) == Counter(["forest", "forest", "tundra"])


@pytest.mark.rule("p. 6, terrain exhausted")
def test_exhausted__all_terrains__no_card_and_no_mandatory_action() -> None:
    table = position("T  T  Wa I ")
    table.play("house r11c12", "house r11c11", "done")
    assert (table.player(0)["terrain_card"], table.player(1)["terrain_card"]) == (None, None)
    assert table.legal() == {"done"}
    table.play("done")
    assert (table.seat, table.phase) == (1, "after")


# The end


@pytest.mark.rule("p. 7, end")
def test_end__first_seat_builds_its_last_piece__the_others_finish_the_round() -> None:
    table = position(LAND, players=3, houses_left=2, forts_left=1)
    table.play("house r11c13", "house r11c14", "fort r12c13", "done")
    assert (table.player(0)["houses_left"], table.player(0)["forts_left"]) == (0, 0)
    assert (table.seat, table.phase) == (1, "before")
    finish_turn(table)
    assert (table.seat, table.phase) == (2, "before")
    finish_turn(table)
    assert (table.seat, table.phase, table.game.round) == (2, "over", 1)
    assert table.game.is_over
    assert table.legal() == set()


@pytest.mark.rule("p. 7, end")
def test_end__last_seat_builds_its_last_piece__over_after_its_turn() -> None:
    table = position(LAND, players=2, seat=1, houses_left=3, forts_left=0, hand=("Mule",), coins=1)
    table.play("house r11c13", "house r11c14", "house r12c13")
    assert table.phase == "after"
    assert "acquire Mule" in table.legal()  # the turn itself is played to its end
    table.play("acquire Mule")
    assert (table.phase, table.coins(1)) == ("over", 0)


@pytest.mark.rule("p. 7, end")
@pytest.mark.parametrize(("houses", "forts", "over"), [(3, 0, True), (3, 1, False), (4, 0, False)])
def test_end__supply__counts_houses_and_forts(houses: int, forts: int, over: bool) -> None:
    table = position(LAND, seat=1, houses_left=houses, forts_left=forts)
    table.play("house r11c13", "house r11c14", "house r12c13", "done")
    assert (table.phase == "over") == over


@pytest.mark.rule("p. 7, end")
def test_end__supply_empty_in_the_middle_of_the_mandatory_action__the_rest_is_left_out() -> None:
    table = position(LAND, seat=1, houses_left=1, forts_left=0)
    table.play("house r11c13")
    assert table.phase == "after"
    assert table.play("done").phase == "over"


@pytest.mark.rule("p. 7, end")
def test_end__pieces_taken_off_the_board__do_not_refill_the_supply() -> None:
    table = position(LAND, seat=1, houses_left=3, forts_left=0, economy="Salvage")
    table.play("house r11c13", "house r11c14", "house r12c13", "lift r11c13", "lift r11c14")
    assert table.play("done").phase == "over"


@pytest.mark.rule("p. 7, end")
def test_end__hundredth_round__is_the_last() -> None:
    table = change(open_land(2), round_=99)
    finish_turn(finish_turn(table))
    assert (table.game.round, table.seat, table.phase) == (100, 0, "before")
    finish_turn(finish_turn(table))
    assert (table.game.round, table.seat, table.phase) == (100, 1, "over")


@pytest.mark.rule("p. 7, end")
def test_end__game_is_over__no_action_is_legal() -> None:
    table = position(LAND, seat=1, houses_left=1, forts_left=0)
    table.play("house r11c13", "done")
    assert table.game.legal_actions() == []
    for action in (0, layout.DONE):
        with pytest.raises(wk.IllegalActionError):
            table.game.apply(action)


@pytest.mark.rule("p. 7, ties")
@pytest.mark.parametrize(
    ("scores", "ranks"),
    [([5, 3], [1, 2]), ([3, 5], [2, 1]), ([5, 5], [1, 1]), ([0, 7, 2, 7], [4, 1, 3, 1]), ([0, 0, 0], [1, 1, 1])],
)
def test_ranks__scores__highest_wins_and_ties_share(scores: list[int], ranks: list[int]) -> None:
    game = wk.new_game(wk.Config(num_players=len(scores)))
    game._world.sheets[0, : len(scores), 0] = scores
    assert (game.scores(), game.ranks()) == (scores, ranks)


@pytest.mark.rule("p. 7, ties")
def test_winners__equal_final_positions__share_the_win() -> None:
    table = position("Ga .  Gb .  T ", seat=1, houses_left=1, forts_left=0, scoring=("Loners", "Pioneers", "Wanderers"))
    table.play("house r11c15", "done")
    # Loners 2 against 4, Pioneers 0 against 1, Wanderers 2 each
    assert table.game.scores() == [4, 7]
    assert table.game.ranks() == [2, 1]
    table = position(
        "Ga .  Gb .  Tb", seat=1, phase="after", houses_left=0, forts_left=0, scoring=("Wanderers", "Scouts", "Masses")
    )
    table.play("done")
    assert table.phase == "over"
    assert table.game.scores() == [2, 2]
    assert table.game.ranks() == [1, 1]
