"""What a stranger, an editor or a crash may have made of a tournament's folder: it is used, or refused in one sentence."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agents.arena import main
from agents.charts import MOST_COLUMNS, histogram
from agents.ratings import Tally, fit, ladder
from agents.results import Forfeit, Result, Store, new_tournament, read_results, read_tournament, standing
from agents.schedule import Job, Mode, Settings, jobs, lineups, n_games
from tests.arena.helpers import made_up, ranks_of

GAME = "winter_kingdom"
THREE = ("random", "greedy", "planner")


def result_of(job: Job, settings: Settings, forfeit: int | None = None) -> Result:
    """A result of this game that nobody played, but could have."""
    scores = [30 + (7 * number + 3 * job.setup + seat) % 11 for seat, number in enumerate(job.seats)]
    seats = [settings.names[number] for number in job.seats]
    lost = None if forfeit is None else Forfeit(forfeit, seats[forfeit], "raised", "no idea")
    ranks, points = standing(ranks_of(scores), forfeit)
    base = made_up(job.setup, job.rotation, job.seats, scores, job.lineup)
    return msgspec.structs.replace(base, seats=seats, ranks=ranks, points=points, forfeit=lost, moves=5 * len(seats))


def played(folder: Path, n: int, agents: tuple[str, ...] = THREE, **options: Any) -> Path:
    """A tournament of which so many games are over."""
    settings = Settings(agents=agents, game=GAME, **{"games": 40, "seed": 7, **options})
    store = Store.create(folder, new_tournament(settings, "python -m agents.arena", "today"))
    for job in islice(jobs(settings), n):
        store.add(result_of(job, settings))
    store.close()
    return folder


@pytest.mark.parametrize("n", [1, 2, 3, 10, 16, 17, 40])
def test_report__unfinished__prints_what_there_is_and_says_so(
    n: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(played(tmp_path / "t", n))]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"unfinished: {n} of 120 games, the ladder will change")
    assert ("; not played yet: planner\n" in printed) == (n <= 16)
    assert "random" in printed and "greedy" in printed


def test_report__nothing_played_yet__says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(played(tmp_path / "t", 0))]) == 2
    assert "has no finished games yet" in capsys.readouterr().err


def test_ratings__agents_that_have_not_met__are_rated_apart() -> None:
    results = [made_up(i, r, numbers, (5 + i, 3), lineup) for i in range(4) for r in (0, 1)
               for lineup, numbers in ((0, (0, 1)), (5, (2, 3)))]  # fmt: skip
    rated = {rating.agent: rating for rating in ladder(Tally(results, "abcde"), 50)}
    assert set(rated) == set("abcd")
    assert rated["a"].elo == -rated["b"].elo > 0 and rated["c"].elo == -rated["d"].elo > 0
    assert fit(Tally(results, "abcde").wins.sum(axis=0))[4] == 0


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Edit tournament.json by hand."""
    path = folder / "tournament.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


CHANGES: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("seed", lambda c: c["settings"].update(seed=8), "was changed after the tournament started"),
    ("time limit", lambda c: c["settings"].update(time_limit=5.0), "was changed after the tournament started"),
    ("names", lambda c: c.update(names=["a", "b", "c"]), "was changed after the tournament started"),
    ("digest", lambda c: c.update(digest="0"), "was changed after the tournament started"),
    ("no digest", lambda c: c.pop("digest", None), "was changed after the tournament started"),
    ("older", lambda c: c.update(format=1, package_version="0.4.0"), "has format 1, but this version reads format 4; winterkingdom_env 0.4.0 can read it"),
    ("old settings", lambda c: c.update(format=2, package_version="0.5.0"), "has format 2, but this version reads format 4; winterkingdom_env 0.5.0 can read it"),
    ("newer", lambda c: c.update(format=99), "has format 99, but this version reads"),
    ("odd format", lambda c: c.update(format=[[]]), "has format [[]], but this version reads"),
    ("unknown field", lambda c: c.update(colour="red"), "unknown field `colour`"),
    ("unknown setting", lambda c: c["settings"].update(colour="red"), "unknown field `colour`"),
    ("many games", lambda c: c["settings"].update(games=10**9), "is not a tournament of format 4: --games 1000000000"),
    ("many agents", lambda c: c["settings"].update(agents=["random"] * 500, players=4), "line-ups of 4; at most 10,000"),
    ("nested", lambda c: c.update(command=json.loads("[" * 500 + "]" * 500)), "nested more than 64 deep"),
    ("surrogate", lambda c: c.update(command="\ud800"), "unpaired surrogate"),
    ("control", lambda c: c["settings"].update(mode="\x1b[2J\n"), "Invalid enum value"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
@pytest.mark.parametrize("command", [["report"], ["--resume", "--out"]], ids=["report", "resume"])
def test_tournament_json__changed_or_of_another_format__is_refused(
    change: Callable[[dict[str, Any]], object],
    words: str,
    command: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = played(tmp_path / "t", 6)
    before = (folder / "results.jsonl").read_bytes()
    changed(folder, change)
    assert main([*command, str(folder)]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1 and told.rstrip("\n").isprintable()
    assert (folder / "results.jsonl").read_bytes() == before


LIES: list[tuple[str, dict[str, Any], str]] = [
    ("set-up too high", {"setup": 10_000, "id": "010000-0000-0"}, "setup is 10000; it must be 0 to 19"),
    ("set-up below 0", {"setup": -1}, "setup is -1; it must be 0 to 19"),
    ("line-up", {"lineup": 3}, "lineup is 3; it must be 0 to 2"),
    ("rotation", {"rotation": 2}, "rotation is 2; it must be 0 to 1"),
    ("id", {"id": "../../x"}, "its id is '../../x', but its numbers are those of game 000001-0000-0"),
    ("numbers", {"numbers": [0, -1]}, "its agents or their seats differ from the schedule"),
    ("seats", {"seats": ["random", "random"]}, "its agents or their seats differ from the schedule"),
    ("too few scores", {"scores": [3]}, "scores has 1 values for 2 seats"),
    ("too few times", {"seconds": []}, "seconds has 0 values for 2 seats"),
    ("negative time", {"seconds": [-1.0, 1.0]}, "seconds and slowest must be times"),
    ("moves", {"moves": 11}, "moves is 11, but n_moves of the seats is [5, 5]"),
    ("scores", {"scores": [10**12, 1]}, "are not possible"),
    ("ranks", {"ranks": [1, 1]}, "are not possible"),
    ("points", {"points": [0.75, 0.25]}, "are not possible"),
    ("forfeit", {"forfeit": {"seat": 9, "agent": "x", "kind": "died", "reason": ""}}, "which is not on that seat"),
    ("cards", {"cards": {"scoring": [{}]}}, "are not names"),
    ("cards without a name", {"cards": {"scoring": [None]}}, "are not names of cards"),
    ("cards of another kind", {"cards": {"colour": "red"}}, "'colour': 'red' are not names of cards"),
    ("cards that steer a terminal", {"cards": {"twist": "\x1b[2J"}}, "are not names of cards"),
    ("other cards than the first", {"cards": {"twist": "Boom"}}, "its kinds of cards are ['twist'], those of the first result []"),
    ("endless rounds", {"rounds": 10**25}, f"rounds is {10**25}; it must be 0 to 100000"),
    ("rounds below 0", {"rounds": -1}, "rounds is -1; it must be 0 to 100000"),
    ("endless moves", {"moves": 10**30, "n_moves": [10**30, 0]}, f"moves is {10**30}; it must be 0 to 100000"),
    ("moves below 0", {"n_moves": [11, -1]}, "moves is 10, but n_moves of the seats is [11, -1]"),
    ("endless restarts", {"restarts": 10**300}, "restarts is a number of 997 bits; it must be 0 to 64"),
    ("killed without restarts", {"killed": [0]}, "killed is [0]; it must be the seats of 0 restarts"),
    ("killed twice", {"restarts": 2, "killed": [1, 1]}, "killed is [1, 1]; it must be the seats of 2 restarts"),
    ("killed elsewhere", {"restarts": 1, "killed": [2]}, "killed is [2]; it must be the seats of 1 restarts"),
    ("endless time", {"seconds": [1e308, 1.0]}, "seconds and slowest must be times from 0 to 1e+09"),
    ("endless move", {"slowest": [1e308, 1.0]}, "seconds and slowest must be times from 0 to 1e+09"),
    ("score sheet", {"score_sheet": [{"Castles": 1}, {"Castles": 2}]}, "are not the sums of the score sheet"),
    ("empty score sheet", {"score_sheet": [{}, {}]}, "are not the sums of the score sheet"),
    ("endless points", {"score_sheet": [{"a": 10**300, "b": -(10**300)}, {}]}, "are not possible"),
    ("score sheet that steers a terminal", {"scores": [1, 2], "score_sheet": [{"\x1b[2J": 1}, {"b": 2}]}, "the score sheet has the unprintable row"),
    ("kind", {"rounds": "many"}, "line 2 is damaged: Expected `int`, got `str`"),
    ("nested", {"cards": json.loads("[" * 80 + "]" * 80)}, "line 2 is damaged: lists and objects are nested"),
    ("twice", {"setup": 0, "id": "000000-0000-0", "numbers": [0, 1], "seats": ["random", "greedy"],
               "scores": [1, 2], "score_sheet": [{"a": 1}, {"a": 2}], "ranks": [2, 1], "points": [0.0, 1.0]}, "occurs twice"),
]  # fmt: skip


@pytest.mark.parametrize(("lie", "words"), [case[1:] for case in LIES], ids=[case[0] for case in LIES])
def test_results__a_line_that_cannot_be_true__is_refused_with_its_number(
    lie: dict[str, Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = played(tmp_path / "t", 4)
    path = folder / "results.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **lie})
    path.write_text("\n".join(lines) + "\n")
    before = path.read_bytes()
    for command in (["report"], ["--resume", "--out"]):
        assert main([*command, str(folder)]) == 2
        told = capsys.readouterr().err
        assert "results.jsonl: line 2" in told and words in told
        assert told.count("\n") == 1 and told.rstrip("\n").isprintable()
    assert path.read_bytes() == before


def test_results__forfeits_are_taken(tmp_path: Path) -> None:
    folder = played(tmp_path / "t", 0)
    settings = Settings(agents=THREE, game=GAME, games=40, seed=7)
    lost = [result_of(job, settings, forfeit=1) for job in islice(jobs(settings), 3)]
    (folder / "results.jsonl").write_bytes(b"".join(msgspec.json.encode(result) + b"\n" for result in lost))
    assert read_results(folder) == lost


def test_results__no_regular_file__is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = played(tmp_path / "t", 1)
    (folder / "results.jsonl").unlink()
    os.mkfifo(folder / "results.jsonl")
    assert main(["report", str(folder)]) == 2
    assert "it is a FIFO, not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("left", ["records", "results.jsonl", "tournament.json.part", ".tournament.json.x1.part"])
def test_begin__after_a_crash_before_the_first_game__is_possible(left: str, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    (folder / "records").mkdir(parents=True)
    (folder / "records" / "000000-0000-0.part.gz").write_bytes(b"half")
    if left != "records":
        (folder / left).write_bytes(b"" if left == "results.jsonl" else b'{"format":')
    played(folder, 2)
    assert len(read_results(folder)) == 2
    assert not list(folder.glob("*.part")) and not list(folder.glob(".*.part"))


def test_begin__games_without_their_tournament__says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = played(tmp_path / "t", 2)
    (folder / "tournament.json").unlink()
    before = (folder / "results.jsonl").read_bytes()
    assert main(["random", "random", "--out", str(folder)]) == 2
    assert "has games but no tournament.json" in capsys.readouterr().err
    assert (folder / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "1000000000"], "--games 1000000000: at most 1000000 is allowed"),
        ([*["greedy"] * 5, "--games", "1000000"], "makes 21,000,000 games"),
        (["--players", "1000000000"], "--players 1000000000: at most 64 is allowed"),
        ([*["random"] * 100, "--players", "4"], "line-ups of 4; at most 10,000 are allowed"),
        (["random"] * 2000, "agents are named; a tournament has at most 1,000"),
        (["--processes", "1000000"], "at most 256 games can run in parallel"),
        (["--seed", "9" * 30], "at most 9223372036854775807 is allowed"),
        (["--memory-limit", "9" * 30], "at most 1073741824 is allowed"),
        (["--time-limit", "inf"], "--time-limit inf: a number of seconds above 0"),
        (["--time-limit", "nan"], "--time-limit nan: a number of seconds above 0"),
        (["--sprt=-inf,0"], "Elo differences from -4000 to 4000"),
        (["--sprt=0,20", "--alpha", "1e-300"], "an error probability from 1e-09"),
        (["ran\ndom"], "has an unprintable character"),
    ],
)
def test_options__without_measure__are_refused_at_once(
    options: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["random", "random", *options]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [Mode.ROUND_ROBIN, Mode.GAUNTLET])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("n_agents", [2, 3, 4, 6])
def test_n_games__is_counted_without_making_line_ups(mode: Mode, players: int, n_agents: int) -> None:
    settings = Settings(agents=("random",) * n_agents, game=GAME, players=players, games=12, mode=mode)
    assert n_games(settings) == len(list(jobs(settings)))
    assert len(lineups(settings)) * settings.n_setups * players == n_games(settings)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[" * 100_000, "nested more than 64 deep"),
        (b'[{"twist": "Wolves", "twist": null}]', "an object has the key 'twist' twice"),
        (b'[{"economy": "\\ud800"}]', "unpaired surrogate"),
        (b'[{"boards": "generated:' + b"9" * 5000 + b'"}]', "is not an existing file"),
        (b'[{"boards": "' + b"x" * 5000 + b'"}]', "is not an existing file"),
        (b'[{"boards": "a\\u0000b"}]', "is not an existing file"),
        (b"[" + b"{}," * 100_000 + b"{}]", "100,001 set-ups; a tournament has at most 100,000"),
        (b'["' + b"x" * 100_000 + b'"]', "is not an object"),
    ],
)
def test_setups__odd_files__are_refused_in_one_line(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "setups.json"
    file.write_bytes(content)
    assert main(["random", "random", "--setups", str(file), "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1 and told.rstrip("\n").isprintable() and len(told) < 1000
    assert not (tmp_path / "out").exists()


def test_setups__a_fifo__is_refused_without_waiting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert main(["random", "random", "--setups", str(tmp_path / "fifo")]) == 2
    assert "it is a FIFO, not a regular file" in capsys.readouterr().err


def test_settings__whole_numbers_for_seconds__can_be_resumed(tmp_path: Path) -> None:
    options = {"time_limit": 60, "mode": Mode.HEAD_TO_HEAD, "sprt": (0, 20), "agents": ("random", "greedy")}
    folder = played(tmp_path / "t", 2, **options)  # type: ignore[arg-type]  # a mix of kinds
    assert read_tournament(folder).settings.time_limit == 60.0
    Store.resume(folder).close()


@pytest.mark.parametrize("missing", ["records", "results.jsonl"])
def test_resume__a_part_of_the_folder_is_gone__what_is_missing_is_played_again(missing: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "t", 2)
    path = folder / missing
    path.rmdir() if path.is_dir() else path.unlink()
    store = Store.resume(folder)
    store.close()
    assert len(store.results) == (2 if missing == "records" else 0) and (folder / "records").is_dir()


@pytest.mark.parametrize("last", [9, 10 + MOST_COLUMNS, 100_000, 10**25])
def test_histogram__however_far_apart__has_few_columns_and_counts_every_game(last: int) -> None:
    drawn = histogram({7: 3, 8: 1, last: 2}, "Games", "rounds")
    tips = re.findall(r"<title>(\d+)(?: to (\d+))? rounds: (\d+) games</title>", drawn)
    assert len(tips) == drawn.count("<rect") <= MOST_COLUMNS
    assert sum(int(count) for _, _, count in tips) == 6
    assert int(tips[0][0]) == 7 and int(tips[-1][1] or tips[-1][0]) >= last
    assert all(int(after[0]) == int(one[1] or one[0]) + 1 for one, after in pairwise(tips))
