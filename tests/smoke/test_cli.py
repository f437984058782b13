"""The command line as a user meets it: output, exit codes, one JSON line, errors without traceback."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.full_disk import small_disk
from winterkingdom_env.cli.commands import app
from winterkingdom_env.core._cache import COMPILING
from winterkingdom_env.core._jit import SETTINGS
from winterkingdom_env.games import GAMES
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.records import read_record, replay

REPO = Path(__file__).resolve().parents[2]
COMMANDS = (
    "play",
    "replay",
    "perft",
    "options",
    "cards",
    "boards",
    "warm",
    "check",
    "serve",
    "arena",
    "train",
    "evaluate",
    "generalisation",
    "bench",
)


def run(*arguments: object, stdin: str | None = None, traced: bool = False) -> Any:
    """Run a command in this process. No escape code may ever reach the user of a pipe, and a traceback only if it is an agent's own."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert ("Traceback" in result.stderr) == traced and "\x1b" not in result.stdout
    return result


def json_line(result: Any) -> Any:
    """The one line of JSON on stdout."""
    assert result.stdout.count("\n") == 1 and result.stdout.endswith("\n")
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_help__every_command__has_two_examples(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.count(f" winterkingdom {command}") >= 2 and "Examples" in result.stdout


def test_help__lists_commands_without_importing_numba() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from winterkingdom_env.cli.commands import app\n"
        "print(CliRunner().invoke(app, ['--help']).stdout); print('numba' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert all(f" {command} " in done.stdout for command in COMMANDS)
    assert done.stdout.splitlines()[-1] == "False"


def test_version__is_printed() -> None:
    result = run("--version")
    assert result.exit_code == 0 and result.stdout.startswith("winterkingdom_env ")


def test_play__human_output__board_cards_sheet_and_winner() -> None:
    result = run(
        "play", "--players", 3, "--seed", 7, "--agents", "random", "--set", "economy=Furs", "--set", "twist=Boom"
    )
    assert result.exit_code == 0
    for words in ("the game is over", "r26c", "fell field", "Furs", "Boom", "Castles", "total", "seed 7, "):
        assert words in result.stdout
    assert re.search(r"wins( \d+ to \d+|: )", result.stdout) or "share the win: " in result.stdout
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_play__json__one_line_that_agrees_with_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    result = json_line(run("play", "--players", 4, "--seed", 3, "--json", "--record", path))
    report = replay(path)
    assert (result["seed"], result["players"], result["agents"]) == (3, 4, ["random"] * 4)
    assert (result["steps"], result["scores"], result["winners"]) == (report.n_actions, report.scores, report.winners)
    assert [sum(row.values()) for row in result["score_sheet"]] == result["scores"]
    assert report.record.header.agents == ["random"] * 4


def test_play__same_seed__same_game_and_other_seed__another() -> None:
    first, second, third = (json_line(run("play", "--seed", seed, "--json")) for seed in (5, 5, 6))
    assert first == second and first != third


def test_play__no_seed__tells_the_seed_it_took() -> None:
    taken = json_line(run("play", "--json"))
    assert json_line(run("play", "--json", "--seed", taken["seed"])) == taken


def test_play__show_and_quiet__as_much_as_was_asked_for() -> None:
    turns = run("play", "--seed", 7, "--show", "turns").stdout
    assert turns.count("fell field") > 5 and turns.count("seat 0: ") > 10
    none = run("play", "--seed", 7, "--show", "none").stdout
    assert len(none.splitlines()) == 2 and "seed 7, " in none
    quiet = run("play", "--seed", 7, "--quiet")
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == ("", "", 0)


@pytest.mark.skipif(SETTINGS.DISABLE_JIT, reason="nothing is compiled")
def test_compiling__is_said_once_on_stderr_unless_it_is_hushed(tmp_path: Path) -> None:
    """In processes of their own, with an empty folder for machine code. The smallest thing that compiles will do."""
    program = "from winterkingdom_env.core import rng; rng.mixed(5); rng.scaled(rng.mixed(6), 6)"
    command = [sys.executable, "-c", program]
    tmp_path.chmod(0o700)
    told = []
    for more in ({"WINTERKINGDOM_QUIET": "1", "NUMBA_CACHE_DIR": str(tmp_path / "a")}, {}, {}):
        home = {"NUMBA_CACHE_DIR": str(tmp_path / "b"), **more}
        done = subprocess.run(command, env={**os.environ, **home}, capture_output=True, text=True, check=True)
        told.append(done.stderr)
    assert told == ["", f"{COMPILING}\n", ""]  # hushed; compiled; found on disk


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "clever"], "error: no agent is called 'clever'; an agent is one of random, greedy, planner"),
        (
            ["--agents", "random,random,random"],
            "--agents names 3 agents for 2 players; name one for all or one per seat",
        ),
        (["--game", "go"], "error: no game is called 'go'; known games: winter_kingdom"),
        (["--game", "no.such.module:game"], "error: the game 'no.such.module:game' cannot be imported"),
        (["--players", "9"], "error: Winter Kingdom is not for 9 players; numbers of players: 2, 3, 4"),
        (["--set", "scoring=Knights"], "error: 'scoring=Knights' is invalid: "),
        (["--set", "scoring=Knights,Masses,Nobody"], "Nobody"),
        (["--set", "economy=Nothing"], "Nothing"),
        (["--set", "twist=Nothing"], "Nothing"),
        (["--set", "boards=no/such/file"], "no/such/file"),
        (["--set", "boards=no/such/file", "--set", "boards=standard"], "boards was already set"),
        (["--set", "twist"], "error: 'twist' is not of the form name=value"),
        (["--set", "num_players=3"], "use --players to set the number of players"),
        (
            ["--set", "joker=1"],
            "error: Winter Kingdom has no option 'joker'; its options: scoring, economy, twist, boards",
        ),
        (["--show", "everything"], "everything"),
        (["--seed", "seven"], "valid integer"),
    ],
)
def test_play__wrong_use__exit_code_2_and_one_message(arguments: list[str], message: str) -> None:
    result = run("play", "--json", *arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert message in result.stderr


def test_play__record_exists__is_kept_unless_overwrite(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    result = run("play", "--seed", 7, "--record", path)
    assert result.exit_code == 2 and "the file exists" in result.stderr and "(--overwrite)" in result.stderr
    assert path.read_text() == "precious"
    assert run("play", "--seed", 7, "--record", path, "--overwrite", "--quiet").exit_code == 0
    assert replay(path).is_complete
    assert run("play", "--record", tmp_path / "nowhere" / "a.jsonl").exit_code == 2


BOTS = """
class First:
    def __init__(self, seed=0, last=False):
        self.last = last

    def __call__(self, view):
        return view.legal_actions()[-1 if self.last else 0]

class Broken(First):
    def __call__(self, view):
        return view.legal_actions()[0 if view.round < 2 else 1 // 0]

class Wrong(First):
    def __call__(self, view):
        return "north"
"""


def test_play__agents_by_name_and_of_a_file__same_seed_same_game(tmp_path: Path) -> None:
    code = tmp_path / "bots_of_play.py"
    code.write_text(BOTS)
    agents = "bots_of_play:First:last=yes,search:simulations=8,threads=1,planner"
    first, second = (
        run("play", "--players", 3, "--seed", 7, "--code", code, "--agents", agents, "--json") for _ in range(2)
    )
    assert first.exit_code == 0 and first.stdout == second.stdout
    told = json.loads(first.stdout)
    assert told["agents"] == ["bots_of_play:First:last=yes", "search:simulations=8,threads=1", "planner"]
    assert told["winners"] == [1] or told["winners"] == [2]


def test_play__agent_fails__is_named_and_the_record_is_kept(tmp_path: Path) -> None:
    code, path = tmp_path / "bots_that_fail.py", tmp_path / "game.jsonl"
    code.write_text(BOTS)
    failed = run(
        "play", "--seed", 7, "--code", code, "--agents", "bots_that_fail:Broken,random", "--record", path, traced=True
    )
    assert failed.exit_code == 1 and failed.stdout == ""
    assert "error: the agent on seat 0 (a), round 2, phase before, raised ZeroDivisionError" in failed.stderr
    assert "in __call__" in failed.stderr, "its author sees where"
    assert f"{len(read_record(path).actions)} actions are kept in {path}" in failed.stderr
    wrong = run("play", "--seed", 7, "--code", code, "--agents", "bots_that_fail:Wrong,random")
    assert wrong.exit_code == 1 and "returned 'north': 'north' is not an action" in wrong.stderr


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game."""
    path = tmp_path_factory.mktemp("cli") / "game.jsonl"
    assert run("play", "--seed", 7, "--quiet", "--record", path).exit_code == 0
    return path


def test_replay__whole_record__is_confirmed(record: Path) -> None:
    result = run("replay", record)
    assert result.exit_code == 0
    assert "the game is over" in result.stdout and "scores and winners confirmed" in result.stdout
    assert "winner: seat " in result.stdout and "seed 7 gives this set-up" in result.stdout
    data = json_line(run("replay", record, "--json"))
    assert data["ok"] and data["complete"] and data["seed_confirmed"] and data["actions"] == replay(record).n_actions
    turns = run("replay", record, "--show", "turns").stdout
    assert turns.count("is being moved") > 5 and read_record(record).actions[3].action in turns


def test_replay__wrong_line__exit_code_1_names_it(record: Path, tmp_path: Path) -> None:
    lines = record.read_text().splitlines()
    seat = json.loads(lines[5])["seat"]
    lines[5] = f'{{"seat":{seat},"action":"dance"}}'
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(lines) + "\n")
    result = run("replay", path)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.splitlines()[-1].startswith(f"error: {path}: line 6: seat {seat}: `dance`: ")
    data = json_line(run("replay", path, "--json"))
    assert data["ok"] is False and data["line"] == 6 and "dance" in data["error"]


def test_replay__no_file__exit_code_2() -> None:
    result = run("replay", "no-such-file.jsonl")
    assert result.exit_code == 2 and "does not exist" in result.stderr


def test_perft__counts_agree_with_legal_actions_and_with_divide() -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    data = json_line(run("perft", "--seed", 7, "--depth", 2, "--divide", "--json"))
    assert data["counts"][0]["nodes"] == len(game.legal_actions())
    assert data["counts"][1]["nodes"] == sum(data["divide"].values())
    assert list(data["divide"]) == [game.label(action) for action in game.legal_actions()]
    assert all(row["nodes_per_second"] > 0 for row in data["counts"])
    table = run("perft", "--seed", 7, "--depth", 2).stdout
    assert f"{data['counts'][1]['nodes']:,}" in table and "per second" in table
    assert run("perft", "--depth", 0).exit_code == 2
    assert run("perft", "--game", "go").exit_code == 2


def test_options__are_the_fields_of_the_config_and_can_be_set() -> None:
    data = json_line(run("options", "--json"))
    assert (data["game"], data["players"]) == ("winter_kingdom", [2, 3, 4])
    assert [row["name"] for row in data["options"]] == ["scoring", "economy", "twist", "boards", "house_rules"]
    shown = run("options").stdout
    assert (
        "--set scoring=" in shown and "3 values separated by commas or none" in shown and "Options of a game." in shown
    )
    cards = "scoring=Knights, Miners,Loners"
    set_up = ["--set", cards, "--set", "economy=none", "--set", "boards=generated:3"]
    sheet = json_line(run("play", "--seed", 7, "--json", *set_up))["score_sheet"]
    assert list(sheet[0]) == ["Knights", "Miners", "Loners", "Castles"]
    assert run("options", "--game", "go").exit_code == 2


def test_warm__names_the_games_it_compiled() -> None:
    assert list(json_line(run("warm", "--json"))["seconds"]) == list(GAMES)
    named = run("warm", "--game", "winter_kingdom")
    assert named.stdout.startswith("compiled all kernels of winter_kingdom in ")
    assert run("warm", "--game", "go").exit_code == 2


def test_cards__every_card_with_source_and_page() -> None:
    data = json_line(run("cards", "--json"))
    kinds = [row["kind"] for row in data]
    assert [kinds.count(kind) for kind in ("ability", "scoring", "economy", "twist")] == [26, 18, 8, 8]
    assert all(row["source"] in ("rulebook", "public", "reading") and row["page"].startswith("p. ") for row in data)
    twists = run("cards", "--kind", "twist").stdout
    assert "Archipelago" in twists and "Sleigh" not in twists
    joker = run("cards", "--kind", "joker")
    assert joker.exit_code == 2 and joker.stdout == ""
    known = "ability, scoring, economy, twist"
    assert joker.stderr == f"error: winter_kingdom has no 'joker' cards; its kinds of cards: {known}\n"


def test_boards__standard_generated_and_files(tmp_path: Path) -> None:
    shown = run("boards")
    assert shown.exit_code == 0 and "14 sides, all in order" in shown.stdout
    first, second = (json_line(run("boards", "--boards", "generated", "--seed", seed, "--json")) for seed in (1, 2))
    assert len(first["sides"]) == 14 and first["sides"] != second["sides"]
    assert [len(row.split()) for row in first["sides"][0]["rows"]] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    path = tmp_path / "boards.txt"
    content = "".join(f"{s['side']}: {s['name']}\n" + "\n".join(s["rows"]) + "\n" for s in first["sides"])
    path.write_text(content)
    assert json_line(run("boards", "--boards", path, "--json"))["sides"] == first["sides"]
    path.write_text(content.replace("C", "G", 1))
    bad = run("boards", "--boards", path)
    assert bad.exit_code == 1 and "castle" in bad.stderr and bad.stdout == ""
    assert run("boards", "--boards", tmp_path / "none.txt").exit_code == 2


def test_boards__a_game_without_boards__is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_boards(source: str, seed: int) -> None:
        raise ValueError("this game has no boards")

    monkeypatch.setattr(wk, "board_sheet", no_boards)
    result = run("boards")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "error: this game has no boards\n")


def test_module__in_a_process_of_its_own__plays(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    command = [sys.executable, "-m", "winterkingdom_env", "play", "--seed", "7", "--json", "--record", "game.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=True)
    assert done.stdout.count("\n") == 1 and json.loads(done.stdout)["seed"] == 7
    assert replay(tmp_path / "game.jsonl").is_complete
    again = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert again.returncode == 2 and again.stderr.splitlines()[-1].startswith("error: game.jsonl: the file exists")


def test_play__svg__draws_the_final_board_once(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    arguments = ["play", "--seed", "7", "--show", "none", "--svg", str(picture)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    again = CliRunner().invoke(app, arguments)
    assert again.exit_code == 2
    assert "--overwrite" in again.stderr
    assert picture.read_text(encoding="utf-8") == drawn
    nowhere = CliRunner().invoke(app, [*arguments[:-1], str(tmp_path / "missing" / "board.svg")])
    assert nowhere.exit_code == 2
    assert f"the folder {tmp_path / 'missing'} does not exist" in nowhere.stderr


def test_replay__svg__draws_the_last_position_with_the_same_checks(tmp_path: Path) -> None:
    path, played, again = tmp_path / "game.jsonl", tmp_path / "played.svg", tmp_path / "again.svg"
    assert run("play", "--seed", 7, "--show", "none", "--record", path, "--svg", played).exit_code == 0
    assert run("replay", path, "--show", "none", "--svg", again).exit_code == 0
    assert again.read_bytes() == played.read_bytes()
    refused = run("replay", path, "--svg", again)
    assert refused.exit_code == 2 and "again.svg exists; name a new file or use --overwrite" in refused.stderr
    assert run("replay", path, "--svg", again, "--overwrite", "--json").exit_code == 0
    before = path.read_bytes()
    same = run("replay", path, "--svg", path, "--overwrite")
    assert same.exit_code == 2 and "--svg and the record both name" in same.stderr and path.read_bytes() == before
    nowhere = run("replay", path, "--svg", tmp_path / "missing" / "board.svg")
    assert nowhere.exit_code == 2 and "does not exist" in nowhere.stderr
    path.write_bytes(before[: len(before) // 2] + b"{}\n" + before[len(before) // 2 :])
    assert run("replay", path, "--svg", tmp_path / "broken.svg").exit_code == 1
    assert not (tmp_path / "broken.svg").exists()


def test_play__svg_on_a_full_disk__the_old_one_stays(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    picture.write_text("old")
    with small_disk():
        result = run("play", "--seed", 7, "--show", "none", "--overwrite", "--svg", picture)
        new = run("play", "--seed", 7, "--show", "none", "--svg", tmp_path / "new.svg")
    for done, path in ((result, picture), (new, tmp_path / "new.svg")):
        assert done.exit_code == 1
        assert done.stderr.splitlines()[-1] == f"error: {path} cannot be written: File too large"
    assert picture.read_text() == "old" and os.listdir(tmp_path) == ["board.svg"]


def test_play__svg_over_something_that_is_no_file__is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    result = run("play", "--seed", 7, "--show", "none", "--overwrite", "--svg", tmp_path / "fifo")
    assert result.exit_code == 2 and "is not a regular file" in result.stderr


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_play__record_on_a_full_disk__says_so_and_leaves_no_half_header(tmp_path: Path, name: str) -> None:
    with small_disk():
        result = run("play", "--seed", 7, "--show", "none", "--record", tmp_path / name)
    assert result.exit_code == 2 and "cannot be written: File too large" in result.stderr
    assert os.listdir(tmp_path) == []


def test_replay__what_is_no_record__is_refused_in_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(bytes(65 << 20), 1))
    long = tmp_path / "long.jsonl"
    header = {"kind": "header", "format": 1, "game": "x" * 5000, "env_version": "", "package_version": "", "seed": 1,
              "config": None, "setup": {}}  # fmt: skip
    long.write_text(json.dumps(header) + "\n")
    before = sorted(os.listdir(tmp_path))
    for path, words in ((tmp_path / "fifo", "it is a FIFO"), (bomb, "larger than 64 MB"), (long, "no game is called")):
        result = run("replay", path)
        assert result.exit_code == 1 and words in result.stderr
        assert result.stdout == "" and result.stderr.count("\n") == 1
        assert words in json_line(run("replay", path, "--json"))["error"]
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_play__record_over_an_old_one_on_a_full_disk__the_old_one_stays(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert run("play", "--seed", 7, "--quiet", "--record", path).exit_code == 0
    before = path.read_bytes()
    with small_disk(1000):
        result = run("play", "--seed", 8, "--quiet", "--record", path, "--overwrite")
    assert result.exit_code == 2 and "cannot be written: File too large" in result.stderr
    assert path.read_bytes() == before and os.listdir(tmp_path) == [name]


def board_file(folder: Path) -> Path:
    """A file of terrain boards whose name is not UTF-8."""
    path = folder / "\udcff.txt"
    path.write_text(wk.boards.format_sides(wk.boards.standard_sides()))
    return path


def test_play__record_of_boards_whose_name_is_not_utf8__is_refused_and_the_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    result = run("play", "--seed", 7, "--set", f"boards={board_file(tmp_path)}", "--record", path, "--overwrite")
    assert result.exit_code == 2 and "text that is not UTF-8" in result.stderr and result.stderr.count("\n") == 1
    assert path.read_text() == "precious"


def test_play__svg_and_record_in_one_file__is_refused_before_playing(tmp_path: Path) -> None:
    path, link, hard = tmp_path / "game.jsonl", tmp_path / "link", tmp_path / "hard"
    (tmp_path / "folder").mkdir()
    link.symlink_to(path)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert run("play", "--seed", 7, "--record", tmp_path / "loop", "--svg", tmp_path / "loop").exit_code == 2
    for other in (path, tmp_path / "folder" / ".." / path.name, link):
        result = run("play", "--seed", 7, "--overwrite", "--record", path, "--svg", other)
        assert result.exit_code == 2 and f"--svg and --record both name {other}" in result.stderr
        assert not path.exists() and result.stdout == ""
    path.write_text("precious")
    hard.hardlink_to(path)
    assert run("play", "--seed", 7, "--overwrite", "--record", path, "--svg", hard).exit_code == 2
    assert path.read_text() == "precious"


def test_json__names_that_are_not_utf8__are_spelled_out_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "\udcfd.jsonl"
    spelled = str(tmp_path / "\\udcfd.jsonl")
    assert json_line(run("play", "--seed", 7, "--json", "--record", path))["record"] == spelled
    assert json_line(run("replay", path, "--json"))["record"] == spelled
    path.write_text("no record\n")
    data = json_line(run("replay", path, "--json"))
    assert data["record"] == spelled and data["ok"] is False
    shown = json_line(run("boards", "--json", "--boards", board_file(tmp_path)))
    assert shown["boards"] == str(tmp_path / "\\udcff.txt") and len(shown["sides"]) == 14


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["cards", "cards --json", "--help", "--version"])
def test_stdout__full_or_closed__exit_code_1_and_one_line(arguments: str, unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPO), "PYTHONUNBUFFERED": unbuffered}
    command = f"'{sys.executable}' -m winterkingdom_env {arguments}"
    for where, why in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
        done = subprocess.run(
            ["sh", "-c", f"{command} {where}"], capture_output=True, text=True, env=environment, check=False
        )
        assert (done.returncode, done.stderr) == (1, f"error: cannot write to stdout: {why}\n")
    # A reader that has left is no news.
    done = subprocess.run(
        ["sh", "-c", f"{command} | true"], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_stdout__closed__a_command_that_prints_nothing_works(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    command = f"'{sys.executable}' -m winterkingdom_env play --seed 7 --quiet --record game.jsonl >&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=environment, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert replay(tmp_path / "game.jsonl").is_complete
