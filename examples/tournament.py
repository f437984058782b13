"""A tournament from Python, and its ladder with intervals: python examples/tournament.py

Every set-up is played in every rotation of the seats, and each seat runs in its own process. The folder keeps settings, results and records; playing again
with the same folder resumes where it stopped.
"""

import tempfile
from pathlib import Path

from agents.results import read_tournament
from agents.schedule import Settings, n_games
from agents.summary import summarise
from agents.tournament import play


def main(n: int = 20, folder: Path | None = None) -> list[str]:
    """Let three agents play ``n`` games per pair, and return them, best first."""
    settings = Settings(agents=("random", "greedy", "planner"), game="winter_kingdom", games=n, seed=7)
    with tempfile.TemporaryDirectory() as scratch:
        kept = folder or Path(scratch) / "tournament"
        results = play(settings, kept, processes=2)
        summary = summarise(read_tournament(kept), results, n_games(settings), None)
    for rating in (rung.rating for rung in summary.ladder):
        interval = f"[{100 * rating.share_low:.0f}, {100 * rating.share_high:.0f}]"
        print(f"{rating.agent:8} Elo {rating.elo:+5.0f}, {100 * rating.share:.0f} % {interval} of {rating.games} games")
    return [rung.rating.agent for rung in summary.ladder]


if __name__ == "__main__":  # the seats' processes import this file
    main()
