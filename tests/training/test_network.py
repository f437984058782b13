"""The network of the kernels against the same network in torch, and what it is shown against the game itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

from training.learning import log_probs_of
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.actor import Actor
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.torch_network import Decisions, MovesNet, make_network  # only if torch is installed

N = 24


def shaken(seed: int) -> MovesNet:
    """A network in which every weight counts."""
    torch.manual_seed(seed)
    net = MovesNet(wk)
    with torch.no_grad():
        for part in net.parameters():
            part.add_(torch.randn_like(part), alpha=0.05)
    return net


def played(n_steps: int, seed: int = 3) -> tuple[VectorEnv, Actor]:
    """Games of 2 to 4 players that have gone on for a while, and an actor for them."""
    env = VectorEnv(wk, N, 1, num_players=(2, 3, 4), twist="random")
    env.reset(seed=seed)
    for _ in range(n_steps):
        env.step(env.sample_actions())
    return env, Actor(env.batch, seed)


def random_games(n: int) -> list[wk.Game]:
    """Games of all numbers of players and twists in the middle of something."""
    games = []
    for seed in range(n):
        game, stream = wk.new_game(wk.Config(num_players=2 + seed % 3, twist="random"), seed), Stream(seed)
        for _ in range(10 + 7 * seed):
            if game.is_over:
                break
            legal = game.legal_actions()
            game.apply(int(legal[stream.draw(len(legal))]))
        if not game.is_over:
            games.append(game)
    return games


@pytest.mark.parametrize("n_steps", [0, 40, 90])
def test_kernel__same_weights__says_what_torch_does(n_steps: int) -> None:
    env, actor = played(n_steps)
    net = shaken(n_steps)
    actor.act(net.flat_weights()[None])
    rows = np.repeat(np.arange(N), actor.n_moves)
    listed = [(row, k) for row in range(N) for k in range(actor.n_moves[row])]
    moves = np.array([actor.moves[at] for at in listed], np.int64)
    assert [sorted(moves[rows == i]) for i in range(N)] == [list(np.flatnonzero(mask)) for mask in env.action_mask]
    given = Decisions(
        torch.from_numpy(env.batch.rows["n_players"].astype(np.int64)),
        torch.from_numpy(moves),
        torch.from_numpy(rows),
        torch.from_numpy(actor.contexts),
        torch.from_numpy(np.array([actor.features[at] for at in listed])),
    )
    with torch.no_grad():
        logits, ahead = net(given)
        logs = log_probs_of(logits, given.rows, N).numpy()
    first = np.cumsum(actor.n_moves) - actor.n_moves
    np.testing.assert_allclose(actor.log_probs, logs[first + actor.choices], atol=1e-4)
    values = ahead.numpy()
    values[:, :-1] = np.exp(values[:, :-1])
    np.testing.assert_allclose(actor.values, values, atol=1e-4)
    np.testing.assert_allclose(actor.values[:, :-1].sum(1), 1.0, atol=1e-5)


def test_context__is_the_vector_of_the_observation_and_the_room() -> None:
    env, actor = played(60)
    actor.look()
    for row in range(N):
        seen = env.game(row).observe(form="planes")["vector"]
        np.testing.assert_array_equal(actor.contexts[row, : wk.OBSERVATION.n_entries], seen)


def test_actor__same_seed__chooses_the_same_and_draws_as_the_probabilities_say() -> None:
    weights = shaken(1).flat_weights()[None]
    chosen = []
    for _ in range(2):
        _, actor = played(30)
        chosen.append([actor.act(weights).copy() for _ in range(200)])
    np.testing.assert_array_equal(chosen[0], chosen[1])
    _, actor = played(30)
    actor.act(weights, is_greedy=True)
    best, logs = actor.actions.copy(), actor.log_probs.copy()
    share = np.mean([actor.act(weights) == best for _ in range(400)], axis=0)
    np.testing.assert_allclose(share, np.exp(logs), atol=0.12)  # 400 draws: five standard deviations


def test_advice__hidden_things_resampled__stays_the_same() -> None:
    thinker = Thinker(wk, shaken(2).flat_weights())
    for game in random_games(10):
        actions, probabilities, values = thinker.evaluate(game)
        for seed in range(4):
            again = thinker.evaluate(game.determinize(game.seat, seed))
            np.testing.assert_array_equal(actions, again[0])
            np.testing.assert_array_equal(probabilities, again[1])
            np.testing.assert_array_equal(values, again[2])


def test_moves_network__fresh__does_not_react_to_cards_it_has_never_seen() -> None:
    net, spec = MovesNet(wk), wk.OBSERVATION
    for name in ("scoring", "economy", "twist"):
        assert (
            not net.parts["context"][spec.entries(name)].any()
            and not net.parts["value_context"][spec.entries(name)].any()
        )


@pytest.mark.parametrize("name", ["conv", "flat"])
def test_board_networks__give_a_number_per_legal_action_and_probabilities(name: str) -> None:
    env, _ = played(20)
    rows, moves = np.nonzero(env.action_mask)
    packed = torch.from_numpy(env.batch.packed.view(np.int32))
    n_players = torch.from_numpy(env.batch.rows["n_players"].astype(np.int64))
    net = make_network(name, wk)
    logits, ahead = net(Decisions(n_players, torch.from_numpy(moves), torch.from_numpy(rows), packed=packed))
    assert logits.shape == (len(moves),) and bool(logits.isfinite().all())
    np.testing.assert_allclose(ahead[:, :-1].exp().sum(1).detach().numpy(), 1.0, atol=1e-5)


def test_conv_network__a_hex_far_away__changes_nothing_but_what_is_pooled() -> None:
    """The kernel of the convolution is a hex with its six neighbours: two layers see two steps far."""
    net: Any = make_network("conv", wk)
    assert net.around.sum() == 7
    corners = {(0, 0), (2, 2)}
    assert {(r, c) for r in range(3) for c in range(3) if net.around[r, c] == 0} == corners


def test_network__unknown_name__says_which_there_are() -> None:
    with pytest.raises(ValueError, match="the networks are: moves, conv, flat"):
        make_network("transformer", wk)
