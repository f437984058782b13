"""Trainers and networks side by side, with budgets that say nothing."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: the extra 'train' has it")

from training import compare  # only if it is installed
from winterkingdom_env.search.torch_network import NETWORKS

TINY = ["--games=16", "--horizon=16", "--minibatch=64", "--steps=512", "--rounds=2"]


def test_sb3__same_network_and_batch__gives_rates_and_shares_of_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["sb3", *TINY, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for rounds in found["rounds"].values():
        assert len(rounds) == 2
        for each in rounds:
            assert each["steps_per_second"] > 0 and 0 < each["env"] < 1 and 0 < each["learning"] < 1
    rates = [[each["steps_per_second"] for each in rounds] for rounds in found["rounds"].values()]
    ratios = [a / b for a, b in zip(*rates, strict=True)]
    assert found["lowest"] == pytest.approx(min(ratios)) and found["lowest"] <= found["ratio"] <= found["highest"]


def test_sb3__table__has_both_trainers_and_the_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["sb3", *TINY[:-1], "--rounds=1"]) == 0
    told = capsys.readouterr().out
    assert "training.ppo" in told and "training.maskable_ppo" in told and "ours / theirs" in told


def test_networks__a_moment_each__gives_win_rates_on_both_splits(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        compare.main(["networks", "--minutes=0.01", "--games=8", "--horizon=16", "--setups=1", "--against=random"]) == 0
    )
    told = capsys.readouterr().out
    assert all(name in told for name in NETWORKS) and "held out" in told


def test_sb3__minibatch_that_does_not_fit__is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["sb3", *TINY, "--minibatch=100"]) == 2
    assert "minibatch=100" in capsys.readouterr().err
