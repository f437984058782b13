"""The agent that plays by a network, its files, and the search that a network guides."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.full_disk import contents, in_its_place, small_disk
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search import weights as files
from winterkingdom_env.search.network import count_weights, parts_of
from winterkingdom_env.search.registry import AgentError, agent_spec, get_ready
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import SHIPPED, WeightsError, load_weights, save_weights, shipped_file

GAME = "winter_kingdom"


def random_tensors(seed: int = 0) -> dict[str, np.ndarray]:
    rng, found = np.random.default_rng(seed), {}
    for name, n_in, n_out, has_bias, _ in parts_of(wk.World):
        found[f"parts.{name}"] = rng.normal(size=(n_in, n_out)).astype(np.float32) / n_in
        if has_bias:
            found[f"parts.{name}_bias"] = rng.normal(size=n_out).astype(np.float32)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A network with random weights in a file."""
    place = tmp_path / "policy.safetensors"
    save_weights(place, GAME, "moves", {}, random_tensors(), {"steps": 3})
    return place


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, str]], object]) -> Path:
    """The same file with something changed in its tensors or texts."""
    from safetensors import safe_open

    with safe_open(str(path), framework="np") as file:
        told = dict(file.metadata())
    tensors = load_file(str(path))
    change(tensors, told)
    save_file(tensors, str(path), told)
    return path


def game_after(n: int, seed: int = 4) -> wk.Game:
    game = wk.new_game(wk.Config(num_players=3, twist="random"), seed=seed)
    for i in range(n):
        legal = game.legal_actions()
        game.apply(int(legal[i % len(legal)]))
    return game


def test_file__saved_and_loaded__holds_the_same(path: Path) -> None:
    found = load_weights(path)
    assert (found.game, found.network, found.facts) == (GAME, "moves", {"steps": 3})
    for name, tensor in random_tensors().items():
        np.testing.assert_array_equal(found.tensors[name], tensor)
    assert len(found.flat()) == count_weights(wk.World)


def test_file__shipped__every_game_has_one_and_no_file_is_out_of_reach() -> None:
    files = {path.stem for path in SHIPPED.iterdir()}
    assert set(GAMES) <= files and {stem.partition("-")[0] for stem in files} == set(GAMES)


@pytest.mark.parametrize("name", ["nobody", "whole_box"])
def test_file__shipped_under_a_name_that_the_game_does_not_have__is_refused(name: str) -> None:
    with pytest.raises(WeightsError, match=f"no network '{name}' is shipped for {GAME}"):
        get_ready(agent_spec(f"policy:path=shipped-{name}").make(seed=0), get_game(GAME))


@pytest.mark.parametrize(
    ("game", "name"),
    [(stem, name) for stem, _, name in (path.stem.partition("-") for path in sorted(SHIPPED.iterdir()))],
)
def test_file__shipped__is_small_and_says_how_it_was_made(game: str, name: str) -> None:
    assert shipped_file(game, name).stat().st_size < 5_000_000
    found = load_weights(shipped_file(game, name))
    assert found.game == game and found.facts["steps"] > 0
    assert found.facts["command"].startswith(("python -m training.ppo", "winterkingdom train"))
    assert {"seconds", "machine", "settings", "versions"} <= set(found.facts)
    assert json.loads(json.dumps(found.facts)), "plain data"


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("missing", lambda path: path.unlink(), "is not a file"),
    ("cut off", lambda path: path.write_bytes(path.read_bytes()[:1000]), "is damaged or not a file of weights"),
    ("empty", lambda path: path.write_bytes(b""), "is damaged or not a file of weights"),
    ("a pickle", lambda path: path.write_bytes(pickle.dumps({"a": 1})), "is damaged or not a file of weights"),
    ("text", lambda path: path.write_text("weights"), "is damaged or not a file of weights"),
    ("foreign", lambda path: save_file({"a": np.zeros(3, np.float32)}, str(path)), "a safetensors file of something else"),
    ("older rules", lambda path: rewritten(path, lambda _, told: told.update(env="v-1")), "was trained on winter_kingdom v-1"),
    ("other layout", lambda path: rewritten(path, lambda _, told: told.update(layout="x")), "another layout of actions"),
    ("other shape", lambda path: rewritten(path, lambda t, _: t.update({"parts.logit": np.zeros((3, 1), np.float32)})), "parts.logit has the shape"),
    ("part missing", lambda path: rewritten(path, lambda t, _: t.pop("parts.kind")), "parts.kind is missing, with the shape"),
    ("not a number", lambda path: rewritten(path, lambda t, _: t["parts.kind"].fill(np.nan)), "are not numbers"),
    ("infinite", lambda path: rewritten(path, lambda t, _: t["parts.logit_bias"].fill(-np.inf)), "weights of 'parts.logit_bias' are not numbers"),
    ("float64", lambda path: rewritten(path, lambda t, _: t.update({"parts.logit": t["parts.logit"].astype(np.float64)})), "'parts.logit' has the dtype 'F64', F32 is needed"),
    ("integers", lambda path: rewritten(path, lambda t, _: t.update({"parts.kind": t["parts.kind"].astype(np.int32)})), "'parts.kind' has the dtype 'I32'"),
    ("a part too many", lambda path: rewritten(path, lambda t, _: t.update({"parts.soul": np.zeros(3, np.float32)})), "'parts.soul' is not an array of this network"),
    ("flipped bit", lambda path: rewritten(path, lambda t, _: t["parts.logit"].view(np.uint32).__ixor__(1)), "the digest does not fit its weights"),
    ("other digest", lambda path: rewritten(path, lambda _, told: told.update(digest="0" * 64)), "the digest does not fit its weights"),
    ("no digest", lambda path: rewritten(path, lambda _, told: told.pop("digest", None)), "the digest does not fit its weights"),
    ("version 0.4.0", lambda path: rewritten(path, lambda _, told: told.update(format="winterkingdom_env policy 1")), "written by version 0.4.0: the rules have changed since"),
    ("unknown network", lambda path: rewritten(path, lambda _, told: told.update(network="brain")), "no network is called 'brain'; the networks are: moves"),
    ("sizes of another", lambda path: rewritten(path, lambda _, told: told.update(sizes='{"width": 3}')), "sizes is {'width': 3}"),
    ("too wide", lambda path: rewritten(path, lambda _, told: told.update(network="flat", sizes='{"width": 1000000000}')), "width is 1000000000, a number from 1 to 4096"),
    ("no sizes", lambda path: rewritten(path, lambda _, told: told.update(sizes="[]")), "sizes is"),
    ("facts", lambda path: rewritten(path, lambda _, told: told.update(facts="3")), "facts is 3, an object is needed"),
    ("deep facts", lambda path: rewritten(path, lambda _, told: told.update(facts="[" * 9999 + "]" * 9999)), "nested more than 64 deep"),
    ("long header", lambda path: path.write_bytes(b"\xff" * 8 + path.read_bytes()[8:]), "its header should have"),
    ("no header", lambda path: path.write_bytes(b"\x02" + bytes(7) + b"[]"), "its header is not a JSON object"),
    ("deep header", lambda path: path.write_bytes((9999).to_bytes(8, "little") + b"[" * 9999), "nested more than 64 deep"),
    ("bytes at the end", lambda path: path.write_bytes(path.read_bytes() + b"1234"), "4 bytes at its end belong to no array"),
    ("other places", lambda path: path.write_bytes(path.read_bytes().replace(b'"data_offsets":[0,', b'"data_offsets":[4,', 1)), "do not fit its shape"),
    ("other shape in the header", lambda path: path.write_bytes(path.read_bytes().replace(b'"shape":[42,1]', b'"shape":[4,99]', 1)), "do not fit its shape"),
    ("a FIFO", lambda path: in_its_place(path, os.mkfifo), "it is a FIFO, not a regular file"),
    ("a folder", lambda path: in_its_place(path, os.mkdir), "it is a folder, not a regular file"),
    ("without end", lambda path: os.truncate(path, 300 << 20), "larger than 256 MB"),
    ("unknown game", lambda path: rewritten(path, lambda _, told: told.update(game="chess")), "no game is called 'chess'"),
    ("a text missing", lambda path: rewritten(path, lambda _, told: told.pop("facts")), "is damaged or not a file of weights"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "message"), [case[1:] for case in DAMAGES], ids=[case[0] for case in DAMAGES])
def test_file__damaged_or_foreign__is_refused_with_the_reason(
    damage: Callable[[Path], object], message: str, path: Path
) -> None:
    damage(path)
    with pytest.raises(files.WeightsError, match=message) as caught:
        load_weights(path)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 600
    for text in (f"policy:path={path}", f"search:policy={path}"):
        with pytest.raises(AgentError, match=message):
            agent_spec(text).make(1)


def test_file__of_a_network_for_torch__cannot_guide_a_search(path: Path) -> None:
    save_weights(path, GAME, "flat", {"width": 4}, {}, {})
    with pytest.raises(AgentError, match="a search, or the agent policy, in kernels needs a 'moves' network"):
        agent_spec(f"search:policy={path}").make(1)


def test_file__writing_fails__leaves_the_old_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(*arguments: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        save_weights(path, GAME, "moves", {}, random_tensors(1), {})
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


def test_file__is_a_safetensors_file_and_the_same_every_time(path: Path) -> None:
    assert {name: array.tobytes() for name, array in load_file(str(path)).items()} == {
        name: array.tobytes() for name, array in random_tensors().items()
    }
    before = path.read_bytes()
    save_weights(path, GAME, "moves", {}, random_tensors(), {"steps": 3})
    assert path.read_bytes() == before


def test_file__of_a_network_for_torch__must_hold_what_its_sizes_say(path: Path) -> None:
    pytest.importorskip("torch")
    save_weights(path, GAME, "flat", {"width": 4096}, {"body.0.bias": np.zeros(4, np.float32)}, {})
    with pytest.raises(AgentError, match=r"ahead.bias is missing, with the shape \(5,\)"):
        agent_spec(f"policy:path={path}").make(1)
    save_weights(path, GAME, "conv", {"layers": 4096, "channels": 4096}, {}, {})
    with pytest.raises(AgentError, match="is missing, with the shape"):
        agent_spec(f"policy:path={path}").make(1)


def test_file__full_disk__leaves_the_old_one(path: Path) -> None:
    before = path.read_bytes()
    with small_disk(), pytest.raises(OSError, match="File too large"):
        save_weights(path, GAME, "moves", {}, random_tensors(1), {})
    assert contents(path.parent) == {path.name: before}


def test_layout__changes_with_what_the_network_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    before = files.layout_of(GAME)
    monkeypatch.setattr(wk, "FEATURES", wk.FEATURES[::-1])
    assert files.layout_of(GAME) != before


def test_agent__greedy__takes_the_most_likely_action(path: Path) -> None:
    agent, thinker = agent_spec(f"policy:path={path}").make(1), Thinker(wk, load_weights(path).flat())
    for n in (0, 9, 40):
        game = game_after(n)
        actions, probabilities, _ = thinker.evaluate(game)
        if len(actions) > 1:
            assert agent(View(game, game.seat)) == actions[np.argmax(probabilities)]


def test_agent__sampling__follows_seed_and_probabilities(path: Path) -> None:
    game = game_after(9)
    actions, probabilities, _ = Thinker(wk, load_weights(path).flat()).evaluate(game)
    drawn = [agent_spec(f"policy:path={path},sample=yes").make(seed)(View(game, game.seat)) for seed in range(300)]
    assert drawn[:20] == [
        agent_spec(f"policy:path={path},sample=yes").make(seed)(View(game, game.seat)) for seed in range(20)
    ]
    for action, chance in zip(actions, probabilities, strict=True):
        assert np.mean(np.array(drawn) == action) == pytest.approx(
            chance, abs=0.15
        )  # 300 draws: five standard deviations


@pytest.mark.parametrize(
    "text", ["policy", "search:policy=shipped,simulations=40", "search:policy=shipped,simulations=40,threads=2"]
)
@pytest.mark.parametrize("n_players", [2, 4])
def test_agent__whole_game__is_legal_and_the_same_for_the_same_seed(text: str, n_players: int) -> None:
    def scores() -> list[int]:
        game = wk.new_game(wk.Config(num_players=n_players, twist="random"), seed=11)
        agents = [agent_spec(text).make(seed) for seed in range(n_players)]
        while not game.is_over:
            game.apply(agents[game.seat](View(game, game.seat)))
        return game.scores()

    assert scores() == scores()


def test_agent__network_of_another_game__is_refused(path: Path) -> None:
    other: Any = SimpleNamespace(NAME="cousin")  # nothing but its name is asked for
    for text in (f"policy:path={path}", f"search:policy={path}"):
        with pytest.raises(files.WeightsError, match="was trained on winter_kingdom, this is cousin"):
            get_ready(agent_spec(text).make(1), other)
    get_ready(agent_spec("random").make(1), other)  # needs nothing


def test_agent__can_be_pickled(path: Path) -> None:
    game = game_after(9)
    for text in (f"policy:path={path}", f"search:policy={path},simulations=20"):
        agent = agent_spec(text).make(3)
        assert pickle.loads(pickle.dumps(agent))(View(game, game.seat)) == agent(View(game, game.seat))


def test_guided_search__one_simulation_more__adds_one_visit(path: Path) -> None:
    game, thinker = game_after(12), Thinker(wk, load_weights(path).flat(), most_simulations=200)
    thinker.begin(game, 5)
    thinker.simulate(1)
    assert thinker.visits() == {}, "the first simulation asks the network about the root"
    for n in range(1, 60):
        thinker.simulate(1)
        visits = thinker.visits()
        assert sum(times for times, _ in visits.values()) == n
        assert set(visits) <= set(game.legal_actions())
        assert all(0 <= mean <= 1 for _, mean in visits.values())


def test_guided_search__full_tree__goes_on_without_growing(path: Path) -> None:
    game, thinker = game_after(12), Thinker(wk, load_weights(path).flat(), most_simulations=1)
    thinker.begin(game, 5)
    thinker.simulate(3000)
    assert sum(times for times, _ in thinker.visits().values()) == 2999
    assert thinker._n_nodes <= len(thinker._arrays.nodes)


def test_guided_search__end_of_the_game__counts_what_was_won(path: Path) -> None:
    """The last action of a game: whatever the network's value is, a finished game is what it is."""
    agent = agent_spec("greedy").make(1)
    game, last = wk.new_game(seed=5), None
    while not game.is_over:
        if len(game.legal_actions()) > 1:
            last = game.clone()
        game.apply(agent(View(game, game.seat)))
    assert last is not None
    thinker = Thinker(wk, load_weights(path).flat(), most_simulations=400)
    thinker.begin(last, 3)
    thinker.simulate(400)
    for action, (_, mean) in thinker.visits().items():
        end = last.clone()
        end.apply(action)
        if end.is_over:
            best = max(end.scores())
            share = (end.scores()[last.seat] == best) / end.scores().count(best)
            assert mean == pytest.approx(share)
