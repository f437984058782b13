"""Stable-Baselines3 on the batched environment: what SB3 is told about the games, who plays against the learner, and short runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed: the extra 'train' has it")
contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: the extra 'train' has it")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # only if it is installed
from stable_baselines3.common.preprocessing import preprocess_obs

from tests.digging import games_within
from tests.training.learners import N_ENVS, begun, ends_of, pick
from training import maskable_ppo
from training.maskable_ppo import PARTS, Report, Settings, SettingsError, make_env, make_model, train
from training.sb3_env import (
    FORMS,
    PAST,
    RANDOM,
    SCRIPTED,
    LearnerVecEnv,
    MovesLayout,
)
from training.sb3_networks import NETWORKS, policy_of, words_of
from training.splits import Split, split_of
from winterkingdom_env.games import winter_kingdom
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.torch_network import Decisions
from winterkingdom_env.search.view import View

SPEC, AT = winter_kingdom.OBSERVATION, MovesLayout(winter_kingdom)
TINY = Settings(
    setups="all", steps=256, games=16, horizon=8, minibatch=64, epochs=1, channels=4, width=8, snapshot_steps=128, league=2
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    # More threads than free cores make torch many times slower.
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# What SB3 is told -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_steps__as_sb3_wants_them(form: str) -> None:
    env, rng = begun(form), np.random.default_rng(1)
    assert is_masking_supported(env)
    assert not env.has_attr("unheard_of")
    assert env.get_attr("form", indices=[0, 3]) == [form, form]
    assert env.env_is_wrapped(object) == [False] * N_ENVS
    n_ended, before = 0, env.reset()
    for _ in range(80):
        kept = before.copy()
        masks = get_action_masks(env)
        assert masks.shape == (N_ENVS, winter_kingdom.N_ACTIONS)
        assert masks.dtype == bool
        assert masks.any(1).all(), "somebody has nothing to do"
        shown, rewards, dones, infos = env.step((rng.random(masks.shape) * masks).argmax(1))
        assert np.array_equal(before, kept), "SB3 stores the last observation after the step"
        assert shown.shape == (N_ENVS, *env.observation_space.shape)
        assert shown.dtype == env.observation_space.dtype
        assert all(env.observation_space.contains(row) for row in shown)
        assert rewards.dtype == np.float32
        assert dones.dtype == bool
        assert not any("illegal" in info for info in infos)
        for row, info in enumerate(infos):
            assert ("terminal_observation" in info) == ("episode" in info) == dones[row]
            if dones[row]:
                assert env.observation_space.contains(info["terminal_observation"])
                assert not np.array_equal(info["terminal_observation"], shown[row]), "the next game is shown already"
        n_ended, before = n_ended + int(dones.sum()), shown
    assert n_ended


@pytest.mark.parametrize("form", FORMS)
def test_seed__same_seed__same_games(form: str) -> None:
    shares = (0.6, 0.4, 0.0)
    one, two, other = begun(form, shares=shares), begun(form, shares=shares), begun(form, 6, shares=shares)
    rngs = [np.random.default_rng(2) for _ in range(3)]
    differs = False
    for _ in range(60):
        a, b, c = (env.step(pick(env, rng)) for env, rng in zip((one, two, other), rngs, strict=True))
        assert np.array_equal(a[0][:, AT.contexts], b[0][:, AT.contexts])
        assert np.array_equal(one.action_masks(), two.action_masks())
        assert np.array_equal(a[1], b[1])
        differs |= not np.array_equal(a[0][:, AT.contexts], c[0][:, AT.contexts])
    assert differs


def test_rewards__win__losers_are_paid_too() -> None:
    ends = ends_of(begun(), 40)
    for reward, info in ends:
        scores, seat = info["scores"], info["seat"]
        n_best, best = int((scores == scores.max()).sum()), scores.max()
        if n_best == len(scores):
            assert reward == 0
        elif scores[seat] == best:
            assert reward == pytest.approx(1 / n_best)
        else:
            assert reward == pytest.approx(-1 / (len(scores) - n_best))
        assert info["episode"]["r"] == pytest.approx(reward), "nothing is paid before the end"
        assert info["episode"]["l"] > 10
    assert min(reward for reward, _ in ends) == -1.0
    assert max(reward for reward, _ in ends) == 1.0
    assert {len(info["scores"]) for _, info in ends} == {2, 3, 4}


def test_rewards__score__add_up_to_the_score() -> None:
    for _, info in ends_of(begun(reward="score"), 10):
        assert info["episode"]["r"] == info["scores"][info["seat"]], "also what was paid while others moved"


def test_learner__every_game__sits_where_its_seed_says_and_is_asked() -> None:
    env = begun(num_players=3)
    rng, seats = np.random.default_rng(3), set()
    for _ in range(100):
        env.step(pick(env, rng))
        assert np.array_equal(env.games.batch.rows["seat"], env.seats)
        seats |= set(env.seats.tolist())
    assert seats == {0, 1, 2}


def test_bytes__through_float32__are_the_words() -> None:
    env, rng = begun(), np.random.default_rng(4)
    for _ in range(30):
        shown = env.step(pick(env, rng))[0]
    words = env.games.batch.packed
    assert words.max() > 1 << 24, "float32 would lose bits of these words"
    floats: Any = preprocess_obs(torch.as_tensor(shown), env.observation_space)
    assert floats.dtype == torch.float32
    assert np.array_equal(words_of(floats).numpy().view(np.uint32), words)
    seen, wanted = SPEC.unpack_torch(words_of(floats)), SPEC.unpack(words)
    assert np.array_equal(seen["observation"].numpy(), wanted["observation"])
    assert np.allclose(seen["vector"].numpy(), wanted["vector"])


def test_moves__what_is_listed__is_what_is_legal() -> None:
    env, rng = begun("moves"), np.random.default_rng(5)
    for _ in range(40):
        shown = env.step(pick(env, rng))[0]
        moves = shown[:, AT.moves].astype(int)
        for row in range(N_ENVS):
            listed = moves[row][moves[row] >= 0]
            assert np.array_equal(listed, np.flatnonzero(env.action_masks()[row]))
            assert len(listed) == min(env.games.action_mask[row].sum(), AT.n_moves)


# Opponents ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", NETWORKS)
def test_past_selves__learner_goes_on__they_stay_and_play(network: str) -> None:
    settings = Settings(
        **{**vars(TINY), "network": network, "past_share": 1.0, "random_share": 0.0, "scripted_share": 0.0}
    )
    env: Any = make_env(settings)
    model: Any = make_model(settings, env)
    model.set_logger(maskable_ppo.make_logger(None))

    def kept() -> list[np.ndarray]:
        if network == "moves":
            return [env.past.weights[0].copy()]
        return [part.numpy().copy() for part in env.past.policies[0].parameters()]

    asked, choose, before = [], env.past.choose, kept()

    def noted(env: LearnerVecEnv, rows: np.ndarray, places: np.ndarray) -> Any:
        asked.append(len(rows))
        return choose(env, rows, places)

    env.past.choose = noted
    model.learn(128)
    assert sum(asked) > 128, "they move more often than the learner"
    assert all(np.array_equal(a, b) for a, b in zip(before, kept(), strict=True))
    assert (env.who >= PAST).all()
    env.take_snapshot(model.policy)
    env.take_snapshot(model.policy)  # the third takes the first one's place
    assert not all(np.array_equal(a, b) for a, b in zip(before, kept(), strict=True))


def test_moves__past_self_in_the_kernel__has_the_probabilities_of_the_policy() -> None:
    settings = Settings(**{**vars(TINY), "network": "moves"})
    env: Any = make_env(settings)
    model: Any = make_model(settings, env)
    with torch.no_grad():
        for part in model.policy.parameters():
            part.add_(torch.randn_like(part), alpha=0.1)
    shown = env.reset()
    env.past.put(0, model.policy)
    rows = np.arange(3, 11)
    actions = env.past.choose(env, rows, np.zeros(len(rows), np.int64))
    actor = env.past._actor
    with torch.no_grad():
        values, logs, _ = model.policy.evaluate_actions(
            torch.as_tensor(shown[rows]), torch.as_tensor(actions), env.action_masks()[rows]
        )
    assert np.allclose(actor.log_probs[rows], logs.numpy(), atol=1e-4)
    n_players = np.array([env.games.config(row).num_players for row in rows])
    wins = actor.values[rows, 0]
    assert np.allclose((n_players * wins - 1) / (n_players - 1), values[:, 0].numpy(), atol=1e-4)


def test_shares__drawn_for_every_seat() -> None:
    env = begun(shares=(0.5, 0.5, 0.9))
    assert set(np.unique(env.who)) == {RANDOM, SCRIPTED}, "there is no past self yet"
    rng = np.random.default_rng(7)
    for _ in range(10):
        env.step(pick(env, rng))
    seats = {key for key, _ in env._agents.items()}
    assert seats, "greedy was asked"
    assert all(env.seats[row] != seat for row, seat in seats)


class Digger(RandomAgent):
    """Keeps every game that it finds in its view."""

    found: ClassVar[list[bytes]] = []
    seeds: ClassVar[set[int]] = set()

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seeds.add(seed)

    def __call__(self, view: View) -> int:
        self.found[:] = [game.to_bytes() for game in games_within(view, winter_kingdom.Game)]
        return super().__call__(view)


def test_scripted_agent__digging_in_its_view__finds_games_but_neither_the_true_one_nor_its_seed() -> None:
    env = begun(shares=(0.0, 1.0, 0.0), scripted=[f"{__name__}:Digger"])
    ask, truths = env._ask_agent, []

    def watched(row: int, seat: int) -> int:
        truths.append(env.games.game(row).to_bytes())
        action = int(ask(row, seat))
        assert Digger.found and truths[-1] not in Digger.found
        return action

    env._ask_agent = watched
    rng = np.random.default_rng(7)
    for _ in range(5):
        env.step(pick(env, rng))
    assert len(truths) > 50
    near = {int(seed) * 4 + seat for seed in env.games.seeds for seat in range(4)} | set(map(int, env.games.seeds))
    assert Digger.seeds and not Digger.seeds & near


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"form": "words"}, "form='words' is not valid; choose from: bytes, moves"),
        ({"shares": (0.0, 0.0, 0.0)}, "not all 0"),
        ({"shares": (0.0, 1.0, 0.0), "scripted": ()}, "name one, such as 'greedy'"),
        ({"scripted": ("gredy",)}, "no agent is called 'gredy'"),
    ],
)
def test_options__wrong__says_what_would_work(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LearnerVecEnv(4, **options)


# Runs -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=NETWORKS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Report]:
    out = tmp_path_factory.mktemp(request.param)
    return request.param, train(Settings(**{**vars(TINY), "network": request.param, "out": str(out)}))


def test_train__some_hundred_steps__reports_where_the_time_went(run: tuple[str, Report]) -> None:
    network, report = run
    assert report.network == network
    assert report.steps == TINY.steps
    assert report.snapshots == 3, "one at the beginning, and one after every 128 steps"
    assert set(report.parts) == set(PARTS)
    assert min(report.parts.values()) > 0
    assert sum(report.shares.values()) == pytest.approx(1)
    assert "steps/s; env " in str(report)


def test_train__run_folder__has_settings_and_curves(run: tuple[str, Report]) -> None:
    network, report = run
    folder = Path(report.model).parent
    written = json.loads((folder / "settings.json").read_text())
    assert written["settings"]["network"] == network
    assert written["env"] == "winter_kingdom_v1"
    lines = (folder / "progress.csv").read_text().splitlines()
    assert "train/value_loss" in lines[0]
    assert len(lines) == 1 + TINY.steps // (TINY.games * TINY.horizon)


def test_model__saved_and_loaded__plays_legal_moves(run: tuple[str, Report]) -> None:
    network, report = run
    model = contrib.MaskablePPO.load(report.model, device="cpu")
    assert all(torch.isfinite(part).all() for part in model.policy.parameters())
    env = begun("moves" if network == "moves" else "bytes")
    shown, n_ended = env.reset(), 0
    for _ in range(80):
        masks = get_action_masks(env)
        actions, _ = model.predict(shown, action_masks=masks)
        assert masks[np.arange(N_ENVS), actions].all()
        shown, _, dones, infos = env.step(actions)
        assert not any("illegal" in info for info in infos)
        n_ended += int(dones.sum())
    assert n_ended


def test_model__of_the_board__plays_in_the_arena(run: tuple[str, Report]) -> None:
    network, report = run
    if network == "moves":
        with pytest.raises(ValueError, match="trained on action features"):
            agent_spec(f"sb3:path={report.model}").make(1)
        return
    agent, game = agent_spec(f"sb3:path={report.model}").make(1), winter_kingdom.new_game(seed=3)
    for _ in range(20):
        action = agent(View(game, game.seat))
        assert action in game.legal_actions()
        game.apply(action)


def test_train__same_seed__same_network() -> None:
    settings = Settings(**{**vars(TINY), "network": "moves"})

    def weights() -> Any:
        model: Any = make_model(settings, env := make_env(settings))
        model.set_logger(maskable_ppo.make_logger(None))
        model.learn(settings.steps, callback=[])
        assert env.n_snapshots == 1
        return model.policy.mlp_extractor.network.flat_weights()

    assert np.array_equal(weights(), weights())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"network": "cnn"}, "choose from: conv, flat, moves"),
        ({"network": "moves", "reward": "margin"}, "the win probability"),
        ({"minibatch": 1000}, "does not divide the 8192 decisions"),
        ({"steps": 0}, "never end"),
        ({"players": "2-4"}, "as in 2,3,4"),
    ],
)
def test_settings__wrong__says_what_would_work(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        Settings(**changes)


def test_setups__seen__are_drawn_for_every_number_of_players() -> None:
    env = make_env(Settings(**{**vars(TINY), "setups": "seen", "n_setups": 3, "players": "2,4", "seed": 9}))
    assert [config.num_players for config in env.games.configs] == [2, 2, 2, 4, 4, 4]
    assert {split_of(config) for config in env.games.configs} == {Split.SEEN}


def test_setups__number_of_players_that_the_game_does_not_have__is_refused() -> None:
    with pytest.raises(ValueError, match="2, 3 or 4 players"):
        make_env(Settings(**{**vars(TINY), "players": "2,5"}))


def test_command_line__help__explains_every_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert maskable_ppo.main(["--help"]) == 0
    words = capsys.readouterr().out
    assert "passes over a rollout (2)" in words
    assert "--past-share" in words


def test_command_line__wrong_setting__exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert maskable_ppo.main(["--preset", "smoke", "--network", "moves", "--reward", "score"]) == 2
    assert "or the network conv or flat" in capsys.readouterr().err


def test_moves__network__judges_listed_moves_only() -> None:
    env = begun("moves")
    model = contrib.MaskablePPO(policy_of("moves")[0], env, n_steps=2, batch_size=2 * N_ENVS, device="cpu")
    shown = torch.as_tensor(env.reset())
    with torch.no_grad():
        all_logits, values = model.policy.mlp_extractor(shown)
        row, moves = shown[2], shown[2, AT.moves]
        n = int((moves >= 0).sum())
        features = row[AT.features].reshape(AT.n_moves, AT.n_features)[:n]
        n_players = torch.tensor([env.games.config(2).num_players])
        given = Decisions(
            n_players, moves[:n].long(), torch.zeros(n, dtype=torch.long), row[None, AT.contexts], features
        )
        logits, ahead = model.policy.mlp_extractor.network(given)
    assert torch.allclose(all_logits[2, moves[:n].long()], logits, atol=1e-5)
    assert (all_logits[2] > -1e7).sum() == n
    wanted = (n_players * ahead[0, 0].exp() - 1) / (n_players - 1)
    assert values[2].item() == pytest.approx(wanted.item(), abs=1e-5)


def test_docs__example__runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "training_sb3.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["model"].num_timesteps == 512
