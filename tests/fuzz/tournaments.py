"""Folders of tournaments with something changed in them; nothing is played."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from agents import ratings
from agents.results import Result, Store, StoreError, Tournament, digest_of, new_tournament, read_results, standing
from agents.schedule import Job, Settings, jobs, n_games
from agents.tournament import outcome_of
from tests.fuzz.mutate import check_told, dumped, mutate_bytes, mutate_plain

AGENTS = ("random", "greedy", "search:simulations=4,threads=2")
N_RESAMPLES = 20


class Tournaments:
    """Folders of tournaments with something changed: refused with a reason, or they can be gone on with and summed up."""

    def __init__(self, folder: Path) -> None:
        """Two tournaments, one with a list of set-ups."""
        self.folder = folder / "changed"
        listed = ({"economy": "Furs", "twist": None, "boards": "standard"},) * 10
        self.kinds = [
            self._begun(folder / "a", Settings(agents=AGENTS, game="winter_kingdom", games=20, seed=7)),
            self._begun(
                folder / "b", Settings(agents=AGENTS[:2], game="winter_kingdom", games=20, players=2, setups=listed)
            ),
        ]

    def _begun(self, folder: Path, settings: Settings) -> Path:
        store = Store.create(folder, new_tournament(settings, "python -m agents.arena", "today"))
        for job in islice(jobs(settings), 14):
            store.add(_result(job, settings))
        store.close()
        return folder

    def attempt(self, seed: int) -> str:
        """Change a folder, then resume and sum up what is in it."""
        rng = random.Random(seed)
        shutil.copytree(rng.choice(self.kinds), self.folder)
        try:
            self._change(rng)
            return self._use()
        finally:
            shutil.rmtree(self.folder)

    def _use(self) -> str:
        results = (self.folder / "results.jsonl").read_bytes()
        try:
            store = Store.resume(self.folder)
        except StoreError as error:
            check_told(error)
            assert (self.folder / "results.jsonl").read_bytes() == results, "the results were changed"
            return "refused"
        store.close()
        settings, found = store.tournament.settings, read_results(self.folder)
        assert results.startswith((self.folder / "results.jsonl").read_bytes())
        known = {job.id: job for job in jobs(settings)}
        assert all(result.numbers == list(known[result.id].seats) for result in found)
        outcome = outcome_of(settings, found)
        assert len(outcome.results) <= len(found) <= n_games(settings)
        if outcome.results:
            tally = ratings.Tally(outcome.results, store.tournament.names)
            assert ratings.ladder(tally, N_RESAMPLES) and ratings.pairs(tally, N_RESAMPLES)
        return "taken"

    def _change(self, rng: random.Random) -> None:
        told, lines = self.folder / "tournament.json", self.folder / "results.jsonl"
        match rng.randrange(5):
            case 0:
                told.write_bytes(mutate_bytes(rng, told.read_bytes()))
            case 1 | 2:
                told.write_bytes(dumped(rng, _signed(mutate_plain(rng, json.loads(told.read_bytes())), rng)))
            case 3:
                lines.write_bytes(mutate_bytes(rng, lines.read_bytes()))
            case _:
                rows = lines.read_bytes().splitlines()
                i = rng.randrange(len(rows))
                rows[i] = dumped(rng, mutate_plain(rng, json.loads(rows[i])))
                lines.write_bytes(b"\n".join(rows) + b"\n")


def _signed(content: Any, rng: random.Random) -> Any:
    """The content of a changed tournament.json, most times with a digest that fits."""
    with suppress(msgspec.ValidationError, TypeError):
        if rng.random() < 0.7:
            return {**content, "digest": digest_of(msgspec.convert(content, Tournament))}
    return content


def _result(job: Job, settings: Settings) -> Result:
    scores = [30 + (7 * number + 3 * job.setup + seat) % 11 for seat, number in enumerate(job.seats)]
    ranks, points = standing([1 + sum(other > own for other in scores) for own in scores])
    n = len(scores)
    return Result(
        id=job.id, setup=job.setup, lineup=job.lineup, rotation=job.rotation, seats=[settings.names[number] for number in job.seats],
        numbers=list(job.seats), scores=scores, score_sheet=[{"Castles": score} for score in scores], ranks=ranks, points=points, forfeit=None,
        moves=5 * n, n_moves=[5] * n, seconds=[0.1] * n, slowest=[0.1] * n, rounds=9, cards={"economy": "Furs", "scoring": ["Knights"]},
    )  # fmt: skip
