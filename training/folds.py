"""The folds of the generalisation benchmark: set-ups to train without a level of a game's factor, and set-ups with it to play (docs/generalisation.md)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from agents.schedule import as_file
from training.splits import EVERY, WITHOUT, Split, draw_levels, draw_setups, factors_of, level_of, split
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import derive
from winterkingdom_env.games import get_game
from winterkingdom_env.games.factors import PLAYERS
from winterkingdom_env.games.splits import parted

FULL = "full"  # the agent that was trained on every level
EVERYTHING = "everything"  # the fold that holds out the held-out side of the game's split, all parts at once
CONTROL = "control"  # the fold that holds nothing out: a second full agent, from another seed
N_SHORT = 3  # folds per factor with --short


@dataclass(frozen=True)
class Fold:
    """A factor and the level of it that is held out; or EVERYTHING or CONTROL, without a level."""

    factor: str
    level: str = ""

    @property
    def name(self) -> str:
        """Such as players=3."""
        return f"{self.factor}={self.level}" if self.level else self.factor

    @property
    def slug(self) -> str:
        """The name as part of a file's name."""
        return re.sub(r"[^\w.]+", "_", self.name)

    @property
    def trains_on(self) -> str:
        """The trainer's setting ``setups``."""
        if self.level:
            return f"{WITHOUT}{self.name}"
        return "seen" if self.factor == EVERYTHING else EVERY


def folds_of(game_name: str) -> list[Fold]:
    """All folds of a game: its factors in their order, everything at once if it has a split, and the control."""
    found = [Fold(factor.name, level) for factor in factors_of(game_name).values() for level in factor.levels]
    whole = [Fold(EVERYTHING)] if split(game_name).parts else []
    return [*found, *whole, Fold(CONTROL)]


def short_folds(game_name: str) -> list[Fold]:
    """The same with at most N_SHORT folds per factor, drawn once and for all."""
    kept = {
        Fold(factor.name, level)
        for factor in factors_of(game_name).values()
        for level in parted(tuple(factor.levels), N_SHORT, f"short {factor.name}")[1]
    }
    return [fold for fold in folds_of(game_name) if not fold.level or fold in kept]


def chosen_folds(game_name: str, asked: Sequence[str], is_short: bool) -> list[Fold]:
    """The folds that are asked for, by factor or by name; all if none is. Raises ValueError with the factors that there are."""
    every, short = folds_of(game_name), short_folds(game_name)
    factors = list(dict.fromkeys(fold.factor for fold in every))
    for text in asked:
        if text.partition("=")[0] not in factors:
            raise ValueError(f"no fold is called {quoted(text)}; there are: {', '.join(factors)}, or FACTOR=LEVEL")
        if text not in factors:
            named_fold(text, game_name)
    some = short if is_short else every
    return [fold for fold in every if fold.name in asked or (fold in some and (not asked or fold.factor in asked))]


def named_fold(name: str, game_name: str) -> Fold:
    """The fold of this name. Raises ValueError with the factors or levels that there are."""
    found = {fold.name: fold for fold in folds_of(game_name)}
    if name not in found:
        level_of(name, game_name)  # says what there is
        raise ValueError(f"no fold is called {quoted(name)}")
    return found[name]


def players_of(game_name: str, fold: Fold) -> int:
    """The number of players of its games: the held-out one, or the game's fewest."""
    if fold.factor == PLAYERS:
        factor, level = level_of(fold.name, game_name)
        return int(factor.values(level)[0])
    return get_game(game_name).PLAYERS[0]


def held_out_setups(game_name: str, fold: Fold, n: int, seed: int) -> list[Any]:
    """``n`` set-ups with the level; other factors have levels of all kinds."""
    own, players = derive(seed, "fold", fold.name, "held out"), players_of(game_name, fold)
    if fold.factor == EVERYTHING:
        return draw_setups(Split.HELD_OUT, n, players, own, game_name)
    having = fold.name if fold.level else ""
    return draw_levels(n, players, own, game_name, having=having)


def has_seen_setups(fold: Fold) -> bool:
    """Whether its agent can be compared on set-ups without the level: not between numbers of players, and not if nothing is held out."""
    return fold.factor not in (PLAYERS, CONTROL)


def seen_setups(game_name: str, fold: Fold, n: int, seed: int) -> list[Any]:
    """``n`` set-ups as the fold's agent had in training, but drawn on their own."""
    own, players = derive(seed, "fold", fold.name, "seen"), players_of(game_name, fold)
    if fold.factor == EVERYTHING:
        return draw_setups(Split.SEEN, n, players, own, game_name)
    return draw_levels(n, players, own, game_name, without=fold.name)


def digest_of(setups: Sequence[Any]) -> str:
    """A digest of set-ups, to see that two evaluations had the same ones."""
    return hashlib.blake2b(msgspec.json.encode([as_file(config) for config in setups]), digest_size=8).hexdigest()
