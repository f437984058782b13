"""Records that were written right and changed: bytes, lines, values; plain and compressed."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from tests.fuzz.mutate import check_told, dumped, mutate_bytes, mutate_plain
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.records import RecordError, RecordWriter, replay, winners_of

CONFIGS = (wk.Config(), wk.Config(num_players=3, twist="random"), wk.Config(num_players=4, boards="generated"))


class Records:
    """Records with something changed: refused with a reason, or every line of them is true."""

    def __init__(self, folder: Path) -> None:
        """A whole game for every number of players, and one that breaks off."""
        self.folder = folder
        self.whole = [self._played(config, seed) for seed, config in enumerate(CONFIGS)]
        self.whole.append(self.whole[0][: len(self.whole[0]) // 2])

    def _played(self, config: wk.Config, seed: int) -> list[bytes]:
        rng, path = random.Random(seed), self.folder / "whole.jsonl"
        game = wk.new_game(config, seed)
        with RecordWriter(path, game, ["random"] * game.n_players, overwrite=True) as writer:
            while not game.is_over:
                action = rng.choice(game.legal_actions())
                writer.write(game.seat, game.label(action))
                game.apply(action)
            writer.close(game)
        lines = path.read_bytes().splitlines()
        path.unlink()
        return lines

    def attempt(self, seed: int) -> str:
        """Change one of the records and replay it."""
        rng = random.Random(seed)
        content = self._changed(rng, list(rng.choice(self.whole)))
        path = self.folder / "record.jsonl"
        if rng.random() < 0.5:
            path = self.folder / "record.jsonl.gz"
            content = gzip.compress(content, 1, mtime=0)
            if rng.random() < 0.3:
                content = mutate_bytes(rng, content)
        path.write_bytes(content)
        try:
            report = replay(path)
        except RecordError as error:
            check_told(error)
            assert error.line is None or error.line >= 1
            return "refused"
        finally:
            path.unlink()
            assert not list(self.folder.iterdir()), "something was written"
        if report.is_complete:
            assert report.game.is_over and report.scores == report.game.scores()
            assert report.winners == winners_of(report.game.ranks())
        assert str(report).isprintable()
        return "verified" if report.is_complete else "verified up to its end"

    def _changed(self, rng: random.Random, lines: list[bytes]) -> bytes:
        match rng.randrange(4):
            case 0:
                return mutate_bytes(rng, b"\n".join(lines) + b"\n")
            case 1:  # lines gone, doubled, swapped
                i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[i : i + rng.randrange(3)] = lines[j : j + rng.randrange(3)]
            case 2:
                i = rng.choice((0, len(lines) - 1, rng.randrange(len(lines))))
                lines[i] = mutate_bytes(rng, lines[i])
            case _:
                i = rng.choice((0, 0, len(lines) - 1, rng.randrange(len(lines))))
                lines[i] = dumped(rng, mutate_plain(rng, json.loads(lines[i])))
        return b"\n".join(lines) + b"\n" * (rng.random() < 0.9)
