"""Line-ups, rotations, set-ups and seeds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from agents.schedule import (  # fmt: skip
    BLOCK,
    Job,
    Mode,
    ScheduleError,
    Settings,
    agent_seed,
    deal_seed,
    game_seed,
    jobs,
    lineups,
    n_games,
    names_of,
)
from winterkingdom_env.core.rng import derive


def settings(*agents: str, **more: object) -> Settings:
    return Settings(agents=agents, game="winter_kingdom", **more)  # type: ignore[arg-type]  # checked by the tests


@pytest.mark.parametrize(
    ("agents", "players", "mode", "expected"),
    [
        ("abc", 2, "round-robin", ["ab", "ac", "bc"]),
        ("abcd", 3, "round-robin", ["abc", "abd", "acd", "bcd"]),
        ("ab", 3, "round-robin", ["aab", "abb"]),
        ("ab", 4, "head-to-head", ["aaab", "aabb", "abbb"]),
        ("ab", 2, "head-to-head", ["ab"]),
        ("abcd", 2, "gauntlet", ["ab", "ac", "ad"]),
        ("abcd", 3, "gauntlet", ["abc", "abd", "acd"]),
        ("abc", 4, "gauntlet", ["abbb", "abbc", "abcc", "accc"]),
    ],
)
def test_lineups(agents: str, players: int, mode: str, expected: list[str]) -> None:
    found = lineups(settings(*agents, players=players, mode=Mode(mode)))
    assert ["".join(agents[i] for i in lineup) for lineup in found] == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_jobs__every_lineup_plays_every_setup_in_every_rotation(players: int) -> None:
    chosen = settings("a", "b", "c", "d", players=players, games=40)
    played = list(jobs(chosen))
    assert len(played) == n_games(chosen) == len({job.id for job in played})
    games: dict[tuple[int, int], list[tuple[int, ...]]] = {(job.setup, job.lineup): [] for job in played}
    for job in played:
        games[job.setup, job.lineup].append(job.seats)
    n_setups = -(-40 // players)
    assert set(games) == {(setup, number) for setup in range(n_setups) for number in range(len(lineups(chosen)))}
    for seats in games.values():
        assert len(set(seats)) == players  # all rotations differ
        for seat in range(players):  # and everybody sits everywhere once
            assert sorted(each[seat] for each in seats) == sorted(seats[0])


def test_jobs__everybody_plays_as_often_after_one_agent_as_after_the_other() -> None:
    follows = Counter[tuple[int, int]]()
    for job in jobs(settings("a", "b", "c", players=3, games=6)):
        follows.update((job.seats[seat], job.seats[seat - 1]) for seat in range(3))
    assert len(follows) == 6 and len(set(follows.values())) == 1


def test_jobs__games_are_rounded_up_to_whole_setups() -> None:
    assert settings("a", "b", games=7).n_setups == 4
    assert settings("a", "b", players=3, games=1).n_setups == 1


def test_jobs__a_process_can_go_from_setup_to_setup() -> None:
    played = list(jobs(settings("a", "b", games=4 * BLOCK)))
    runs = [played[i : i + BLOCK] for i in range(0, len(played), BLOCK)]
    assert all(len({job.setup for job in run}) == BLOCK for run in runs)


def test_ids__sort_like_their_numbers() -> None:
    ids = [Job(setup, lineup, rotation, ()).id for setup in (2, 10, 100) for lineup in (3, 20) for rotation in (0, 1)]
    assert ids == sorted(ids)


def test_seeds__a_setup_is_the_same_whoever_plays_and_wherever() -> None:
    few, many = settings("a", "b", seed=5), settings("c", "d", "e", seed=5, mode=Mode.GAUNTLET, games=9)
    for setup in range(5):
        seeds = {game_seed(few, job) for job in jobs(few) if job.setup == setup}
        seeds |= {game_seed(many, job) for job in jobs(many) if job.setup == setup}
        assert len(seeds) == 1
    assert game_seed(few, Job(0, 0, 0, (0, 1))) != game_seed(settings("a", "b", seed=6), Job(0, 0, 0, (0, 1)))


def test_seeds__all_differ_and_none_is_near_another() -> None:
    chosen = settings("a", "b", seed=5, games=40)
    seeds = [game_seed(chosen, Job(setup, 0, 0, (0, 1))) for setup in range(20)]
    seeds += {agent_seed(chosen, job, seat) for job in jobs(chosen) for seat in range(2)}
    seeds += [deal_seed(chosen, job, move) for job in jobs(chosen) for move in range(10)]
    assert len(set(seeds)) == len(seeds) == 20 + 80 + 400
    assert all(0 <= seed < 2**63 for seed in seeds)
    ordered = sorted(seeds)
    assert min(b - a for a, b in pairwise(ordered)) > 2**40


def test_seeds__one_bit_of_the_tournament_seed_changes_half_of_the_bits() -> None:
    changed = [(derive(2 * i, "game", 0) ^ derive(2 * i + 1, "game", 0)).bit_count() for i in range(200)]
    assert 30 < sum(changed) / len(changed) < 33


def test_names__the_same_text_twice_is_numbered() -> None:
    assert names_of(["greedy", "random", "greedy"]) == ("greedy#1", "random", "greedy#2")
    assert Counter(names_of(["a"] * 4)) == Counter(["a#1", "a#2", "a#3", "a#4"])


@pytest.mark.parametrize(
    ("agents", "more", "words"),
    [
        (["random"], {}, "at least two"),
        (["a", "human"], {}, "winterkingdom play --agents human,search"),
        (["a", "human:x=1"], {}, "winterkingdom play --agents human,search"),
        (["a", "b", "c"], {"mode": Mode.HEAD_TO_HEAD}, "needs two agents, 3 are named"),
        (["a", "b"], {"games": 0}, "--games 0: 1 or more"),
        (["a", "b"], {"time_limit": 0.0}, "--time-limit 0"),
        (["a", "b"], {"sprt": (0.0, 20.0)}, "--mode head-to-head"),
        (["a", "b"], {"sprt": (20.0, 0.0), "mode": Mode.HEAD_TO_HEAD}, "as in 0,20"),
        (["a", "b"], {"sprt": (0.0, 20.0), "mode": Mode.HEAD_TO_HEAD, "alpha": 0.7}, "--alpha 0.7"),
    ],
)
def test_settings__what_is_no_tournament_is_refused(agents: list[str], more: dict[str, object], words: str) -> None:
    with pytest.raises(ScheduleError, match=words):
        settings(*agents, **more)
