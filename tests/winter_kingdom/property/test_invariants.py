"""What holds in every position of every game: random games that like cards, over all players, economies and twists."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.plain import make_state

ECONOMIES = ("Agriculture", "Arms", "Furs", "Exports", "Livestock", "Hunting", "Marble", "Salvage")
TWISTS = (
    None, "Wolves", "Impasse", "Mobility", "Innovation", "Boom", "Longer Tunnels", "Archipelago", "Roads",
)  # fmt: skip
CARD_TERRAINS = ("fell field", "tundra", "flower field", "grassland", "snowscape", "forest")
PLAYERS = (2, 3, 4)
# How much the driver likes an action, by its verb: cards and moves more than building, ending least.
LIKES = {
    "use": 12.0, "triple": 8.0, "acquire": 8.0, "upgrade": 8.0, "house": 1.0, "fort": 0.5, "lift": 1.0, "done": 0.3,
}  # fmt: skip


def choose(game: wk.Game, dice: random.Random) -> int:
    """A legal action; a verb first, so that the few cards are not lost among the many hexes."""
    by_verb: dict[str, list[int]] = {}
    for action in game.legal_actions():
        by_verb.setdefault(game.label(action).split()[0], []).append(action)
    verb = dice.choices(list(by_verb), [LIKES[verb] for verb in by_verb])[0]
    if verb == "lift" and game.phase == "after" and dice.random() < 0.8:  # not the whole town to Salvage
        verb = "done"
    return dice.choice(by_verb[verb])


def state_of(game: wk.Game) -> dict[str, Any]:
    """What changes during a game, as plain data."""
    return make_state(game.record[0], game.board[0])


def begin(players: int, economy: str, twist: str | None, seed: int) -> tuple[wk.Game, random.Random]:
    """A game and the dice that will play it. A few more coins let more cards come into play."""
    game = wk.new_game(wk.Config(num_players=players, economy=economy, twist=twist), seed)
    game.record["coins"][0, :players] += 10
    return wk.from_bytes(game.to_bytes()), random.Random(f"{players} {economy} {twist} {seed}")


def positions(n_games: int, every: int, seed: int = 0) -> Iterator[wk.Game]:
    """Positions from the middle of games of all kinds."""
    kinds = list(product(PLAYERS, ECONOMIES, TWISTS))
    random.Random(seed).shuffle(kinds)
    for i in range(n_games):
        game, dice = begin(*kinds[i % len(kinds)], seed + i)
        step = dice.randrange(every)
        while not game.is_over:
            if step % every == 0:
                yield game.clone()
            game.apply(choose(game, dice))
            step += 1


def play_on(game: wk.Game, dice: random.Random, steps: int) -> list[int]:
    """Play some steps; the actions that were carried out."""
    done: list[int] = []
    while len(done) < steps and not game.is_over:
        done.append(choose(game, dice))
        game.apply(done[-1])
    return done


def replay(game: wk.Game, actions: list[int]) -> bytes:
    """The bytes after these actions."""
    for action in actions:
        game.apply(action)
    return game.to_bytes()


# Nothing gets lost


class Watch:
    """Follows a game and knows what must never change."""

    def __init__(self, game: wk.Game) -> None:
        self.game = game
        self.dealt = [set(player["hand"]) for player in state_of(game)["players"]]
        self.houses_gone = [0] * game.n_players
        self.forts_gone = [0] * game.n_players
        hexes = game.snapshot()["hexes"]
        self.terrain = {entry["hex"]: entry["terrain"] for entry in hexes}
        self.state = state_of(game)

    def step(self, action: int) -> None:
        """Carry out an action and check everything."""
        before, verb = self.state, self.game.label(action).split()[0]
        seat = before["seat"]
        if verb == "lift" and before["phase"] in ("after", "wolves"):
            place = self.game.label(action).split()[1]
            gone = self.forts_gone if place in before["players"][seat]["forts"] else self.houses_gone
            gone[seat] += 1
        self.game.apply(action)
        self.state = state_of(self.game)
        self.check_pieces()
        self.check_cards()
        for other, (was, now) in enumerate(zip(before["players"], self.state["players"], strict=True)):
            if other != seat:  # a turn changes nothing of the others but the card that the next one reveals
                assert {**was, "terrain_card": None} == {**now, "terrain_card": None}
        self.check_mask()

    def check_pieces(self) -> None:
        """36 pieces each, one per hex, on land where pieces may stand; nobody is in debt."""
        occupied: list[str] = []
        for seat, player in enumerate(self.state["players"]):
            assert player["houses_left"] >= 0 and player["forts_left"] >= 0 and player["coins"] >= 0
            assert player["houses_left"] + len(player["houses"]) + self.houses_gone[seat] == 32
            assert player["forts_left"] + len(player["forts"]) + self.forts_gone[seat] == 4
            occupied += player["houses"] + player["forts"]
            upgraded = {card["card"] for card in player["in_play"] if card["upgraded"]}
            for place in player["houses"] + player["forts"]:
                assert self.terrain[place] not in ("tunnel", "village", "castle")
                assert self.terrain[place] != "mountain" or "Mine" in upgraded
        assert len(occupied) == len(set(occupied))

    def check_cards(self) -> None:
        """30 terrain cards, five of each; every ability card stays with the one it was dealt to."""
        state = self.state
        cards = state["draw_pile"] + state["discard_pile"]
        cards += [player["terrain_card"] for player in state["players"] if player["terrain_card"]]
        assert Counter(cards) == dict.fromkeys(CARD_TERRAINS, 5)
        for player, dealt in zip(state["players"], self.dealt, strict=True):
            in_play = [card["card"] for card in player["in_play"]]
            assert len(player["hand"]) + len(in_play) == 5
            assert set(player["hand"]) | set(in_play) == dealt

    def check_mask(self) -> None:
        """A live seat can act, a game that is over has no action; the mask and the list say the same."""
        mask = self.game.legal_mask()
        assert mask.shape == (1409,) and mask.dtype == np.uint8 and mask.max(initial=0) <= 1
        assert list(np.flatnonzero(mask)) == self.game.legal_actions()
        assert bool(mask.any()) != self.game.is_over


@pytest.mark.parametrize("twist", TWISTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games_keep_pieces_cards_coins_and_masks(players: int, twist: str | None) -> None:
    for seed, economy in enumerate(ECONOMIES):
        game, dice = begin(players, economy, twist, seed)
        watch = Watch(game)
        while not game.is_over:
            watch.step(choose(game, dice))
        left = [player["houses_left"] + player["forts_left"] for player in watch.state["players"]]
        assert min(left) == 0 or game.round == 100
        assert sum(watch.forts_gone) == 0 or economy == "Salvage" or twist == "Wolves"
        assert sum(watch.houses_gone) == 0 or economy == "Salvage" or twist == "Wolves"
        assert watch.state["seat"] == players - 1


def test_the_driver_reaches_every_phase_and_every_kind_of_action() -> None:
    phases, verbs = set(), set()
    for game in positions(n_games=72, every=2):
        phases.add(game.phase)
        verbs |= {game.label(action).split()[0] for action in game.legal_actions()}
    assert phases == {
        "before", "mandatory", "boom", "after", "build", "lift", "move", "follow", "triple", "innovate", "wolves",
    }  # fmt: skip
    assert verbs == {"house", "fort", "lift", "use", "acquire", "upgrade", "triple", "done"}


@pytest.mark.parametrize("players", PLAYERS)
def test_same_seed_gives_the_same_game_twice(players: int) -> None:
    for economy, twist in zip(ECONOMIES, TWISTS[1:], strict=True):
        first, dice = begin(players, economy, twist, seed=5)
        actions = play_on(first, dice, 10_000)
        assert first.is_over
        second, dice = begin(players, economy, twist, seed=5)
        assert play_on(second, dice, 10_000) == actions
        assert second.to_bytes() == first.to_bytes()
        assert second.scores() == first.scores()


# Copies


def test_copies_in_mid_game_continue_identically() -> None:
    for i, game in enumerate(positions(n_games=24, every=29, seed=100)):
        saved = game.to_bytes()
        copies = {
            "bytes": wk.from_bytes(saved),
            "pickle": pickle.loads(pickle.dumps(game)),
            "deepcopy": copy.deepcopy(game),
            "copy": copy.copy(game),
            "clone": game.clone(),
        }
        legal = game.legal_actions()
        for how, other in copies.items():
            assert other.to_bytes() == saved, how
            assert other == game, how
            assert other.legal_actions() == legal, how
            assert other.score_sheet() == game.score_sheet(), how
        actions = play_on(game, random.Random(i), 40)
        for how, other in copies.items():
            assert other.to_bytes() == saved, f"{how} changed with the original"
            assert replay(other, actions) == game.to_bytes(), how
            assert other.legal_actions() == game.legal_actions(), how


def test_a_copy_knows_its_set_up() -> None:
    game = wk.new_game(wk.Config(num_players=3, twist="random"), seed=9)
    setup = game.setup()
    play_on(game, random.Random(1), 50)
    for other in (game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.setup() == setup
        assert (other.config, other.seed) == (game.config, 9)
    with pytest.raises(ValueError, match="set-up is not known"):
        wk.from_bytes(game.to_bytes()).setup()


@pytest.mark.parametrize("damage", ["short", "long", "magic", "text", "empty"])
def test_damaged_bytes_are_refused(damage: str) -> None:
    data: Any = wk.new_game(seed=1).to_bytes()
    data = {"short": data[:-1], "long": data + b"x", "magic": b"X" + data[1:], "text": "x", "empty": b""}[damage]
    with pytest.raises(ValueError, match="not a saved Winter Kingdom game"):
        wk.from_bytes(data)


# Actions


def test_illegal_actions_raise_and_change_no_byte() -> None:
    dice = random.Random(3)
    for game in positions(n_games=20, every=23, seed=200):
        before, legal = game.to_bytes(), game.legal_actions()
        illegal = sorted(set(range(1409)) - set(legal))
        for action in [*dice.sample(illegal, 12), 1408 if 1408 in illegal else illegal[0]]:
            with pytest.raises(wk.IllegalActionError) as caught:
                game.apply(action)
            assert str(caught.value)
            assert game.to_bytes() == before
            assert game.legal_actions() == legal


@pytest.mark.parametrize(
    "action", [-1, 1409, 10**9, -(10**30), 3.5, float("nan"), float("inf"), "x", "0", "done", None, [], {}, b"1", 1j]
)
def test_what_is_no_action_at_all_raises_and_changes_no_byte(action: Any) -> None:
    game = wk.new_game(seed=4)
    play_on(game, random.Random(4), 20)
    before = game.to_bytes()
    with pytest.raises(wk.InvalidActionError):
        game.apply(action)
    with pytest.raises(wk.InvalidActionError):
        game.label(action)
    assert game.to_bytes() == before


def test_numpy_integers_are_actions() -> None:
    game = wk.new_game(seed=4)
    other = game.clone()
    action = game.legal_actions()[3]
    game.apply(np.int64(action))  # type: ignore[arg-type]
    other.apply(action)
    assert game == other


def test_labels_and_numbers_match_one_to_one() -> None:
    labels = [wk.label(action) for action in range(wk.N_ACTIONS)]
    assert wk.N_ACTIONS == 1409
    assert len({text.casefold() for text in labels}) == 1409
    assert [wk.parse(text) for text in labels] == list(range(1409))
    assert [wk.parse(f"  {text.upper()} ".replace(" ", "  ")) for text in labels] == list(range(1409))
    assert Counter(text.split()[0] for text in labels) == {
        "house": 427, "fort": 427, "lift": 427, "use": 51, "acquire": 25, "upgrade": 25, "triple": 26, "done": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "house", "house r99c99", "use Sleigh", "use Sleigh III", "use Tunnel I", "upgrade Tunnel", None, 3]
)
def test_what_is_no_label_raises(text: Any) -> None:
    with pytest.raises(wk.InvalidActionError):
        wk.parse(text)


# Hidden things


def hide(state: dict[str, Any], seat: int) -> dict[str, Any]:
    """What a seat sees of a state: others' hands and hidden cards only counted, the draw pile too."""
    seen = copy.deepcopy(state)
    seen["draw_pile"] = len(state["draw_pile"])
    for other, player in enumerate(seen["players"]):
        if other != seat:
            player["hand"] = len(player["hand"])
            if other != state["seat"] or state["phase"] == "over":
                player["terrain_card"] = player["terrain_card"] is not None
    return seen


def hidden_cards(state: dict[str, Any], seat: int) -> Counter[str]:
    """Terrain cards that a seat does not see."""
    cards = list(state["draw_pile"])
    for other, player in enumerate(state["players"]):
        is_revealed = other == state["seat"] and state["phase"] != "over"
        if other != seat and not is_revealed and player["terrain_card"]:
            cards.append(player["terrain_card"])
    return Counter(cards)


def test_determinize_keeps_what_the_seat_sees_and_the_hidden_cards_as_a_whole() -> None:
    for i, game in enumerate(positions(n_games=24, every=31, seed=300)):
        state, saved = state_of(game), game.to_bytes()
        for seat in range(game.n_players):
            other = game.determinize(seat, seed=i)
            new = state_of(other)
            assert hide(new, seat) == hide(state, seat)
            assert hidden_cards(new, seat) == hidden_cards(state, seat)
            hands = [name for player in new["players"] for name in player["hand"]]
            in_play = [card["card"] for player in new["players"] for card in player["in_play"]]
            assert len(set(hands + in_play)) == len(hands) + len(in_play)  # no card twice
            assert other.board.tobytes() == game.board.tobytes()
            assert other.record["rng"][0] != game.record["rng"][0]
            assert game.determinize(seat, seed=i).to_bytes() == other.to_bytes()
            if seat == game.seat:
                assert other.legal_actions() == game.legal_actions()
        assert game.to_bytes() == saved


def test_determinize_after_the_end_hides_every_other_card() -> None:
    game, dice = begin(3, "Furs", None, seed=8)
    play_on(game, dice, 10_000)
    assert game.is_over
    for seat in range(3):
        other = game.determinize(seat, seed=2)
        assert hide(state_of(other), seat) == hide(state_of(game), seat)
        assert other.legal_actions() == []


def test_determinize_deals_the_legal_actions_of_the_new_hand() -> None:
    for i, game in enumerate(positions(n_games=16, every=17, seed=400)):
        for seat in range(game.n_players):
            other = game.determinize(seat, seed=i)
            assert other.legal_actions() == wk.from_bytes(other.to_bytes()).legal_actions()


def test_determinize_differs_by_seed_and_can_deal_anything_unseen() -> None:
    game = wk.new_game(wk.Config(num_players=3), seed=6)
    deals = [game.determinize(1, seed) for seed in range(120)]
    assert len({deal.to_bytes() for deal in deals}) == 120
    assert len({int(deal.record["rng"][0]) for deal in deals}) == 120
    own = set(state_of(game)["players"][1]["hand"])
    for seat in (0, 2):
        seen = {name for deal in deals for name in state_of(deal)["players"][seat]["hand"]}
        assert len(seen) == 20 and not seen & own
    assert {state_of(deal)["players"][2]["terrain_card"] for deal in deals} == set(CARD_TERRAINS)
    assert {state_of(deal)["draw_pile"][0] for deal in deals} == set(CARD_TERRAINS)


def test_determinize_of_a_seat_to_move_plays_to_the_end() -> None:
    for i, game in enumerate(positions(n_games=12, every=61, seed=500)):
        other = game.determinize(game.seat, seed=i)
        play_on(other, random.Random(i), 10_000)
        assert other.is_over
        cards = state_of(other)
        held = [player["terrain_card"] for player in cards["players"] if player["terrain_card"]]
        assert Counter(cards["draw_pile"] + cards["discard_pile"] + held) == dict.fromkeys(CARD_TERRAINS, 5)


@pytest.mark.parametrize("seat", [-1, 2, None, "0"])
def test_determinize_of_no_seat_raises(seat: Any) -> None:
    with pytest.raises(ValueError, match="seats 0 to 1"):
        wk.new_game(seed=1).determinize(seat, seed=1)


# Turning the whole board


def turn_place(row: int, col: int, turns: int) -> tuple[int, int]:
    """A place after so many turns by 60 degrees around the middle of the centre board, r13c13."""
    row, col = row - 13, col - 13
    for _ in range(turns):
        row, col = row + col, -row
    return row + 13, col + 13


def turn_board(board: int, turns: int) -> int:
    """The outer boards change places: 1 lies at (5, 4), 6 at (9, -5) and so on round."""
    return 0 if board == 0 else (board - 1 - turns) % 6 + 1


def turn_label(text: str, turns: int) -> str:
    """The action on the turned board."""
    verb, _, what = text.partition(" ")
    if verb not in ("house", "fort", "lift"):
        return text
    row, col = turn_place(int(what[1:3]), int(what[4:6]), turns)
    return f"{verb} r{row:02d}c{col:02d}"


def turn_setup(setup: dict[str, Any], turns: int) -> dict[str, Any]:
    """The same game on the turned board: a row becomes a column, a column a diagonal, a diagonal a row."""
    hexes = []
    for entry in setup["hexes"]:
        row, col = turn_place(entry["row"], entry["col"], turns)
        place = {"hex": f"r{row:02d}c{col:02d}", "row": row, "col": col, "board": turn_board(entry["board"], turns)}
        hexes.append({**entry, **place})
    directions = ("row", "column", "diagonal")
    return {
        **setup,
        "hexes": sorted(hexes, key=lambda entry: (entry["row"], entry["col"])),
        "top_board": turn_board(setup["top_board"], turns),
        "bottom_board": turn_board(setup["bottom_board"], turns),
        "direction": directions[(directions.index(setup["direction"]) + turns) % 3],
    }


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 5])
def test_turned_board_turns_the_mask(turns: int) -> None:
    turned_action = [wk.parse(turn_label(wk.label(action), turns)) for action in range(1409)]
    assert sorted(turned_action) == list(range(1409))
    for i, twist in enumerate(TWISTS):
        config = wk.Config(num_players=2 + i % 3, economy=ECONOMIES[(i + turns) % 8], twist=twist)
        game = wk.new_game(config, seed=20 * turns + i)
        setup = game.setup()
        turned = wk.from_setup(turn_setup(setup, turns))
        dice = random.Random(i)
        while not game.is_over:
            assert sorted(turned_action[action] for action in game.legal_actions()) == turned.legal_actions()
            action = choose(game, dice)
            game.apply(action)
            turned.apply(turned_action[action])
            assert game.phase == turned.phase
            assert game.record["coins"].tolist() == turned.record["coins"].tolist()
        assert turned.is_over
        assert game.score_sheet() == turned.score_sheet()
