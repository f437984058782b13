"""What the pictures of a run show if the run is short."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.fake_run import write_run
from training.plots import PLOTS
from training.report import main
from training.run_files import Run, read_run

plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed: the extra 'viz' has it")
DRAW: dict[str, Callable[[Run, Any], Any]] = {plot.name: plot.draw for plot in PLOTS}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Path]:
    yield write_run(tmp_path / "run", n=12, players=(2,))
    plt.close("all")


def edit(path: Path, change: Callable[[dict[str, str]], dict[str, str] | None]) -> None:
    """Change the rows of a CSV file; None removes one."""
    names, *lines = (line.split(",") for line in path.read_text().splitlines())
    rows = [row for line in lines if (row := change(dict(zip(names, line, strict=True)))) is not None]
    path.write_text("".join(",".join(cells) + "\n" for cells in (list(rows[0]), *(row.values() for row in rows))))


def intervals(ax: Any) -> tuple[int, int]:
    """How many bands and how many error bars are drawn."""
    kinds = [type(part).__name__ for part in ax.collections]
    return sum("Poly" in kind for kind in kinds), kinds.count("LineCollection")


def test_winrates__single_evaluation__has_error_bars(run: Path) -> None:
    figure = DRAW["winrate"](read_run(run), plt)
    assert intervals(figure.axes[0]) == (2, 0)  # seen and held out
    first = (run / "evaluations.csv").read_text().splitlines()[1].split(",")[0]
    edit(run / "evaluations.csv", lambda row: row if row["steps"] == first else None)
    figure = DRAW["winrate"](read_run(run), plt)
    assert intervals(figure.axes[0]) == (0, 2)


def test_explained_variance__before_the_first_finished_game__is_not_drawn(run: Path) -> None:
    edit(run / "progress.csv", lambda row: {**row, "games": "0" if int(row["iteration"]) < 4 else row["games"]})
    entropy, explained = DRAW["policy"](read_run(run), plt).axes
    assert np.isfinite(entropy.lines[0].get_ydata()).all()
    assert np.isfinite(explained.lines[0].get_ydata()).tolist() == [False] * 3 + [True] * 9


def test_report__run_without_other_share__does_not_mention_it(run: Path) -> None:
    edit(run / "progress.csv", lambda row: {name: cell for name, cell in row.items() if name != "share_other"})
    assert main([str(run)]) == 0
    assert "share_other" not in (run / "report" / "report.html").read_text(encoding="utf-8")
