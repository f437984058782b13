"""What the agents answer: legal actions, the same for the same seed, and better ones the more they think."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agents import play as play_command
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.records import RecordError, RecordWriter
from winterkingdom_env.search.agents import MOST_GUIDED, MOST_SIMULATIONS
from winterkingdom_env.search.arrays import NODE
from winterkingdom_env.search.registry import AgentError, agent_spec
from winterkingdom_env.search.thinking import CHILDREN, Thinker
from winterkingdom_env.search.view import View

SPECS = ("random", "greedy", "planner:width=4", "search:simulations=30,width=4", "search:simulations=30,threads=1")


def positions(players: int, seed: int, every: int = 29) -> Iterator[wk.Game]:
    """Positions of a random game, with all kinds of twists."""
    stream = Stream(seed)
    game = wk.new_game(wk.Config(num_players=players, twist="random"), seed=seed)
    for step in range(10_000):
        if game.is_over:
            return
        if step % every == 0:
            yield game
        legal = game.legal_actions()
        game.apply(legal[stream.draw(len(legal))])


def play(specs: list[str], seed: int) -> list[int]:
    """The scores of a game between agents."""
    game = wk.new_game(wk.Config(num_players=len(specs), twist="random"), seed=seed)
    agents = [agent_spec(spec).make(seed + i) for i, spec in enumerate(specs)]
    while not game.is_over:
        game.apply(agents[game.seat](View(game.determinize(game.seat, seed), game.seat)))
    return game.scores()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_answer__in_every_kind_of_position__is_legal_and_repeats_with_the_seed(spec: str, players: int) -> None:
    n = 0
    for game in positions(players, seed=players):
        legal = game.legal_actions()
        before = game.to_bytes()
        answers = [agent_spec(spec).make(5)(View(game, game.seat)) for _ in range(2)]
        assert answers[0] in legal
        assert answers[0] == answers[1]
        assert game.to_bytes() == before, "the game that was shown is as it was"
        n += 1
    assert n > 4


def test_greedy__takes_an_action_of_most_worth_and_every_best_one_sometimes() -> None:
    for game in positions(2, seed=8):
        actions, values = Thinker(wk).rate(game)
        assert sorted(actions) == game.legal_actions()
        best = set(actions[values >= values.max() - 1e-9].tolist())
        found = {agent_spec("greedy").make(seed)(View(game, game.seat)) for seed in range(12 * len(best))}
        assert found <= best
        assert len(best) > 4 or found == best


def test_rate__of_the_last_house__is_the_score_it_makes() -> None:
    # Weights of nothing but points: what an action is worth is the own score after it.
    for game in positions(3, seed=4):
        actions, values = Thinker(wk, worth=[0.0] * 7).rate(game)
        for action, value in zip(actions.tolist()[::7], values.tolist()[::7], strict=True):
            after = game.clone()
            after.apply(action)
            assert after.scores()[game.seat] == value


def test_plan__carried_out__ends_the_turn_and_no_shorter_look_finds_more() -> None:
    for game in positions(2, seed=21):
        plans = Thinker(wk, width=8, n_plans=6).plan(game)
        assert 1 <= len(plans) <= 6
        ends = []
        for plan in plans:
            end = game.clone()
            for i, action in enumerate(plan):
                assert end.seat == game.seat and not end.is_over, f"the turn was over before action {i}"
                end.apply(action)
            assert end.is_over or end.seat != game.seat
            ends.append(end)
        pieces = {
            end.record["houses"].tobytes() + end.record["forts"].tobytes() + end.record["coins"].tobytes()
            for end in ends
        }
        assert len(pieces) >= len(plans) // 2, "plans are different ways"
        greedy = game.clone()
        while not greedy.is_over and greedy.seat == game.seat:
            actions, values = Thinker(wk).rate(greedy)
            greedy.apply(int(actions[np.argmax(values)]))
        assert ends[0].scores()[game.seat] >= greedy.scores()[game.seat] - 8, "the beam does not fall far behind greed"


def test_tree__after_n_simulations__has_n_visits_at_its_root_and_legal_actions_only() -> None:
    for game in positions(3, seed=30):
        thinker = Thinker(wk, width=4, n_plans=4, most_simulations=60)
        thinker.begin(game, 7)
        for n in (20, 40):
            thinker.simulate(n)
        visits = thinker.visits()
        assert sum(n for n, _ in visits.values()) == 60
        assert set(visits) <= set(game.legal_actions())
        assert all(0 <= mean <= 1 for _, mean in visits.values())


def test_tree__that_is_full__goes_on_without_growing() -> None:
    game = wk.new_game(seed=2)
    thinker = Thinker(wk, width=2, n_plans=1, most_simulations=1)
    thinker.begin(game, 7)
    thinker.simulate(2_000)
    assert sum(n for n, _ in thinker.visits().values()) == 2_000


def test_search__with_two_threads__is_the_same_each_time() -> None:
    game = next(iter(positions(2, seed=3)))
    answers = {agent_spec("search:simulations=40,threads=2").make(1)(View(game, game.seat)) for _ in range(3)}
    assert len(answers) == 1


def test_search__with_a_budget_of_time__answers() -> None:
    game = wk.new_game(seed=6)
    assert agent_spec("search:milliseconds=5").make(1)(View(game, 0)) in game.legal_actions()


def test_more_thought__over_a_few_games__scores_more() -> None:
    ahead = [play(["planner:width=4", "greedy"], seed) for seed in range(3)]
    ahead += [play(["greedy", "planner:width=4"], seed)[::-1] for seed in range(3)]
    assert sum(mine - theirs for mine, theirs in ahead) > 0
    ahead = [play(["greedy", "random", "random"], seed) for seed in range(3)]
    assert all(scores[0] > max(scores[1:]) for scores in ahead)


def test_determinize__terrain_cards__every_unseen_card_is_as_likely() -> None:
    # What the next seat may hold, over many deals, follows the cards that nobody has seen.
    game = wk.new_game(wk.Config(num_players=3), seed=12)
    record = game.record[0]
    unseen = [int(card) for card in record["draw_pile"][: record["n_draw"]]] + [
        int(record["terrain_card"][i]) for i in (1, 2)
    ]
    n = 6_000
    deals = [game.determinize(0, seed).record[0] for seed in range(n)]
    for seat in (1, 2):
        found = np.bincount([int(deal["terrain_card"][seat]) for deal in deals], minlength=6)
        expected = np.bincount(unseen, minlength=6) / len(unseen) * n
        assert (abs(found - expected) < 5 * np.sqrt(expected)).all()
    tops = np.bincount([int(deal["draw_pile"][deal["n_draw"] - 1]) for deal in deals], minlength=6)
    assert (abs(tops - np.bincount(unseen, minlength=6) / len(unseen) * n) < 5 * np.sqrt(n / 6)).all()
    hands = np.zeros(layout.N_ABILITIES)
    for deal in deals:
        hands += [int(deal["hand"][1]) >> card & 1 for card in range(layout.N_ABILITIES)]
    mine = int(record["hand"][0])
    likely = [n * 5 / 20 if not mine >> card & 1 else 0 for card in range(layout.N_ABILITIES)]
    assert (abs(hands - likely) <= 6 * np.sqrt(n * 5 / 20)).all()


# What is refused


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("search:width=1000000000", "width 1 to 4,096"),
        ("search:simulations=1000000000", "1 to 10,000,000"),
        ("search:simulations=99999999999999999999", "1 to 10,000,000"),
        ("search:simulations=10000000,policy=shipped", "1,000,000 with a policy"),
        ("search:milliseconds=99999999999", "milliseconds 0 to 86,400,000"),
        ("search:milliseconds=-1", "milliseconds 0 to"),
        ("planner:width=1000000000", "1 to 4,096"),
        ("search:explore=-1", "explore=-1.0: give 0 (the default) to 100.0"),
        ("search:explore=nan", "explore=nan: give"),
    ],
)
def test_option__beyond_what_memory_and_time_allow__is_refused_with_the_range(text: str, words: str) -> None:
    with pytest.raises(AgentError) as error:
        agent_spec(text).make(1)
    assert words in str(error.value)


def test_most_simulations__take_less_than_a_gigabyte() -> None:
    assert MOST_SIMULATIONS * NODE.itemsize < 1e9 and MOST_GUIDED * CHILDREN * NODE.itemsize < 1e9


def test_widest_beam__can_be_made_and_plans() -> None:
    game = wk.new_game(seed=2)
    assert agent_spec("planner:width=4096").make(1)(View(game, game.seat)) in game.legal_actions()


@pytest.mark.parametrize("text", ["builtins:int", "builtins:dict", "builtins:int:x=1"])
def test_text__of_something_without_options__is_refused_with_what_would_work(text: str) -> None:
    with pytest.raises(AgentError) as error:
        agent_spec(text)
    assert "an agent is one of random, greedy" in str(error.value) and "package.module:Class" in str(error.value)


def test_text__of_something_that_takes_no_seed__is_refused_with_what_would_work() -> None:
    with pytest.raises(AgentError, match="an agent's class takes seed=<integer>"):
        agent_spec("builtins:object").make(1)


class FullDisk(RecordWriter):
    """A record for which there is room for a beginning only."""

    def write(self, seat: int, action: str) -> None:
        if self.n_actions == 20:
            self.close()
            raise RecordError(self.path, None, "cannot be written: No space left on device")
        super().write(seat, action)


def test_play__disk_full_in_mid_game__says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("winterkingdom_env.records.RecordWriter", FullDisk)
    path = tmp_path / "game.jsonl"
    with pytest.raises(SystemExit, match="1"):
        play_command.main(["random", "random", "--seed=1", "--record", str(path)])
    told = capsys.readouterr()
    assert told.out == "" and path.read_text().count('"action"') == 20, "the game had begun"
    assert told.err.startswith("error: ") and told.err.endswith("cannot be written: No space left on device\n")
    assert told.err.count("\n") == 1


def test_play__file_whose_name_steers_a_terminal__is_spelled_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "\x1b[31mred").write_bytes(b"nothing")
    for name in ("\x1b[31mred", "\x1b[31mgone"):
        with pytest.raises(SystemExit, match="2"):
            play_command.main([f"policy:path={tmp_path / name}", "random", "--seed=1"])
        told = capsys.readouterr().err
        assert "\\x1b[31m" in told and told.replace("\n", "").isprintable()
