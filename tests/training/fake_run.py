"""A training run that nobody trained: curves as they usually are, always the same.

``python -m tests.training.fake_run DIR`` writes one to look at.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.winrates import Row, write_rows

AGENT = "policy:path=last"
TWISTS = {"seen": ("none", "Boom", "Impasse"), "held-out": ("Roads", "Wolves")}
SKILL = {"random": 0.99, "greedy": 0.92, "planner": 0.71}


def write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def rate_row(opponent: str, split: str, players: int, twist: str, rate: float, setups: int) -> Row:
    rate = float(rate)
    half = 1.96 * math.sqrt(rate * (1 - rate) / setups)
    return Row(
        agent=AGENT, opponent=opponent, split=split, num_players=players, fact="all" if twist == "all" else "twist", value=twist, setups=setups,
        games=players * setups, wins=rate * players * setups, win_rate=rate, low=max(0.0, rate - half), high=min(1.0, rate + half),
    )  # fmt: skip


def progress(n: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    t = (np.arange(n) + 1) / n
    noise = rng.normal(0, 1, (n, 8))
    columns: dict[str, Any] = {
        "iteration": np.arange(1, n + 1), "steps": 32768 * np.arange(1, n + 1), "games": 180 * np.arange(1, n + 1),
        "seconds": np.cumsum(5 + 0.4 * np.abs(noise[:, 0])), "steps_per_second": 6300 + 300 * noise[:, 1],
        "return": 0.25 * np.tanh(4 * t) + 0.08 * noise[:, 2], "score": 30 + 45 * np.tanh(3 * t) + 2 * noise[:, 3],
        "entropy": 2.4 * np.exp(-2 * t) + 0.6 + 0.02 * noise[:, 4], "explained_variance": np.tanh(5 * t) * 0.85 + 0.03 * noise[:, 5],
        "policy_loss": -0.02 + 0.004 * noise[:, 6], "value_loss": 0.3 * np.exp(-3 * t) + 0.05, "approx_kl": 0.01 + 0.002 * np.abs(noise[:, 7]),
        "clip_fraction": 0.12 + 0.01 * noise[:, 1], "learning_rate": 3e-4 * (1 - t), "league": 1 + np.arange(n) // 10,
        "share_env": 0.22 + 0.01 * noise[:, 2], "share_inference": 0.31 + 0.01 * noise[:, 3],
        "share_learning": np.full(n, 0.4), "share_other": 0.07 - 0.01 * (noise[:, 2] + noise[:, 3]),
    }  # fmt: skip
    return [{name: column[i] for name, column in columns.items()} for i in range(n)]


def evaluations(rows: Sequence[dict[str, Any]], players: Sequence[int]) -> list[dict[str, Any]]:
    found = []
    for i in range(len(rows) // 8, len(rows), max(1, len(rows) // 8)):
        done = (i + 1) / len(rows)
        for n in players:
            for opponent, skill in SKILL.items():
                for split in TWISTS:
                    rate = skill * np.tanh(2.2 * done) / np.tanh(2.2) * (1 if n == 2 else 0.85) - 0.02 * (
                        split != "seen"
                    )
                    row = rate_row(opponent, split, n, "all", rate, 50)
                    kept = ("agent", "opponent", "split", "num_players", "setups", "games", "win_rate", "low", "high")
                    found.append({"steps": rows[i]["steps"], "seconds": rows[i]["seconds"], **{name: getattr(row, name) for name in kept}})  # fmt: skip
    return found


def final_rows(players: Sequence[int]) -> list[Row]:
    rows = []
    for n in players:
        for opponent in list(SKILL)[1:]:
            rate = SKILL[opponent] * (1 if n == 2 else 0.85)
            rows.append(rate_row(opponent, "all", n, "all", rate, 400))
            rows += [rate_row(opponent, split, n, "all", rate + 0.004 * sign, 200) for split, sign in (("seen", 1), ("held-out", -1))]  # fmt: skip
            for split, twists in TWISTS.items():
                rows += [rate_row(opponent, split, n, twist, rate - 0.03 * i, 40) for i, twist in enumerate(twists)]
    return rows


def write_run(folder: Path, n: int = 240, players: Sequence[int] = (2, 3), final: bool = True) -> Path:
    """A whole run in a new folder."""
    folder.mkdir(parents=True)
    about = {
        "settings": {"seed": 1, "steps": 32768 * n, "learning_rate": 3e-4, "hidden": [256, 256], "players": list(players)},
        "command": "python -m training.ppo --preset small --seed 1", "preset": "small", "network": "mlp, 1.2 M weights",
        "env": "winter_kingdom_v1", "machine": {"processor": "a processor", "cores": "2"},
        "versions": {"winterkingdom_env": "0.3.0", "torch": "2.8"}, "started": "2026-11-16T15:00:00+00:00",
    }  # fmt: skip
    (folder / "settings.json").write_text(json.dumps(about), encoding="utf-8")
    rows = progress(n)
    write_csv(folder / "progress.csv", rows)
    write_csv(folder / "evaluations.csv", evaluations(rows, players))
    if final:
        write_rows(folder / "final" / "evaluation.csv", final_rows(players))
    return folder


if __name__ == "__main__":
    write_run(Path(sys.argv[1]))
