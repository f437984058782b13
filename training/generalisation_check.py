"""Whether a file of results follows the protocol: every number is computed again from the wins of the set-ups, and the set-ups are drawn again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from training.folds import (
    CONTROL,
    Fold,
    digest_of,
    folds_of,
    has_seen_setups,
    held_out_setups,
    named_fold,
    players_of,
)
from training.generalisation_file import FORMAT, Estimate, Results, Row, Side, within_gap
from training.winrates import Rate, paired_gap, rate_of
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import named_game

MOST_MINUTES = 10.0  # of training per agent
N_SETUPS, OPPONENT = 1000, "planner"  # of the protocol; others are allowed, but are another measurement
MOST_SETUPS = 10_000
N_NAMED = 3  # missing folds that a note names
CLOSE = 1e-5  # numbers are stored with six decimals
UNEVEN = 1.25  # times as many steps in the same minutes
SPREAD = 0.1  # of an interval's width: another version of numpy may resample differently


def problems_of(results: Results) -> list[str]:
    """A sentence about everything that is wrong; empty if the file is valid."""
    wrong = list(_about_game(results))
    if wrong:
        return wrong
    wrong += _about_protocol(results)
    wrong += _about_folds(results)
    if wrong:
        return wrong
    for row in results.rows:
        wrong += [f"{row.fold}: {words}" for words in _about_row(row, results)]
    agents = list(dict.fromkeys(row.full.agent for row in results.rows))
    if len(agents) > 1:
        wrong.append(
            f"full: {len(agents)} different agents, as {quoted(agents[1])}; one agent is trained on every level"
        )
    return wrong


def notes_of(results: Results) -> list[str]:
    """What a reader should know about valid results: in what they are less than the whole protocol."""
    known, protocol = folds_of(results.game), results.protocol
    missing = [fold.name for fold in known if fold.name not in results.folds]
    more = f" and {len(missing) - N_NAMED} others" if len(missing) > N_NAMED else ""
    notes = []
    if missing:
        notes.append(f"{len(results.rows)} of {len(known)} folds, without {', '.join(missing[:N_NAMED])}{more}")
    if protocol.setups < N_SETUPS:
        notes.append(f"{protocol.setups} set-ups per fold; the protocol has {N_SETUPS:,}")
    if protocol.opponent != OPPONENT:
        notes.append(f"the opponent is {protocol.opponent}; the protocol's is {OPPONENT}")
    if protocol.minutes < MOST_MINUTES:
        notes.append(f"{protocol.minutes:g} minutes of training; the protocol allows {MOST_MINUTES:g}")
    if all(row.factor != CONTROL for row in results.rows):
        notes.append(f"no {CONTROL}: nothing says how much two runs of the same training differ")
    steps = [side.steps for row in results.rows for side in (row.full, row.held_out) if side.steps]
    if steps and max(steps) > UNEVEN * min(steps):
        notes.append(
            f"an agent had {max(steps):,} steps of training, another {min(steps):,}: the machine was busy with other things"
        )
    lost = sum(row.held_out.forfeits + row.full.forfeits for row in results.rows)
    return [*notes, *([f"{lost} games were forfeited and count as lost"] if lost else [])]


def check_protocol(minutes: float, setups: int) -> None:
    """Raise ValueError unless the benchmark allows these numbers."""
    for words in _about_numbers(minutes, setups):
        raise ValueError(words)


# --- the parts of a file ----------------------------------------------------------------------------------------------


def _about_game(results: Results) -> Iterator[str]:
    if results.format != FORMAT:
        yield f"format is {results.format}; this version reads {FORMAT}"
    try:
        game = named_game(results.game)
    except ValueError as error:
        yield str(error)
        return
    if results.env_version != game.ENV_VERSION:
        yield (
            f"the games were played under the rules {game.NAME}_{results.env_version}, this version has "
            f"{game.NAME}_{game.ENV_VERSION}; results of different rules cannot be compared"
        )


def _about_numbers(minutes: float, setups: int) -> Iterator[str]:
    if not 0 < minutes <= MOST_MINUTES:
        yield f"minutes={minutes:g}: more than 0 and at most {MOST_MINUTES:g} minutes of training per agent are allowed"
    if not 2 <= setups <= MOST_SETUPS:
        yield f"setups={setups}: 2 to {MOST_SETUPS:,} set-ups per fold are needed"


def _about_protocol(results: Results) -> Iterator[str]:
    protocol = results.protocol
    yield from _about_numbers(protocol.minutes, protocol.setups)
    if not 0 <= protocol.seed < 1 << 63:
        yield f"seed={protocol.seed}: 0 to 2^63 - 1 is needed"
    for name, text in (("opponent", protocol.opponent), ("trainer", protocol.trainer)):
        if not text or not text.isprintable():
            yield f"{name}={quoted(text)}: a name is needed"


def _about_folds(results: Results) -> Iterator[str]:
    if not results.folds:
        yield "folds is empty; nothing was measured"
    for name in dict.fromkeys([*results.folds, *(row.fold for row in results.rows)]):
        try:
            named_fold(name, results.game)
        except ValueError as error:
            yield f"the fold {quoted(name)} is unknown: {error}"
    found = [row.fold for row in results.rows]
    for name in dict.fromkeys(results.folds):
        if found.count(name) != 1:
            yield f"the fold {quoted(name)} has {found.count(name) or 'no'} rows; it was asked for, so it needs one"
    for name in dict.fromkeys(found):
        if name not in results.folds:
            yield f"the fold {quoted(name)} has a row, but is not among the folds that were asked for"
    if len(set(results.folds)) < len(results.folds):
        yield "folds names one of them twice"


def _about_row(row: Row, results: Results) -> Iterator[str]:
    fold, protocol = named_fold(row.fold, results.game), results.protocol
    if (row.factor, row.level) != (fold.factor, fold.level):
        yield f"factor {quoted(row.factor)} and level {quoted(row.level)} are not those of its name"
    players = players_of(results.game, fold)
    if row.players != players:
        yield f"games of {row.players} players; its games are of {players}"
        return
    if row.setups != protocol.setups:
        yield f"{row.setups} set-ups; the protocol of the file says {protocol.setups}"
        return
    if (row.seen is None or row.within is None) == has_seen_setups(fold) or (row.seen is None) != (row.within is None):
        yield (
            "seen and within are both needed" if has_seen_setups(fold) else "seen and within must be null in this fold"
        )
        return
    sides = {"full": row.full, "held_out": row.held_out, **({} if row.seen is None else {"seen": row.seen})}
    wrong = [f"{name}: {words}" for name, side in sides.items() for words in _about_side(side, row)]
    yield from wrong or _about_gaps(row)
    yield from _about_setups(row, fold, results)


def _about_side(side: Side, row: Row) -> Iterator[str]:
    if len(side.wins) != row.setups:
        yield f"wins of {len(side.wins)} set-ups; {row.setups} are needed"
        return
    if side.games != row.setups * row.players:
        yield (
            f"{side.games} games; {row.setups} set-ups, once on each of {row.players} seats, are {row.setups * row.players}"
        )
    if not 0 <= side.forfeits <= side.games or side.forfeits > side.games - math.ceil(sum(side.wins) - CLOSE):
        yield f"{side.forfeits} forfeited games do not go with {sum(side.wins):g} wins in {side.games} games"
    shares = math.lcm(*range(1, row.players + 1))  # a shared win is a half, a third, ...
    for i, win in enumerate(side.wins):
        if not 0 <= win <= row.players or abs(win * shares - round(win * shares)) > shares * CLOSE:
            yield f"set-up {i} has {win:g} wins, which {row.players} games cannot give"
            return
    yield from _about_estimate("win_rate", side.win_rate, rate_of(side.wins, row.players))


def _about_gaps(row: Row) -> Iterator[str]:
    yield from _about_estimate("gap", row.gap, paired_gap(row.full.wins, row.held_out.wins, row.players))
    if row.seen is not None and row.within is not None:
        yield from _about_estimate("within", row.within, within_gap(row.seen, row.held_out))


def _about_estimate(name: str, told: Estimate, found: Rate) -> Iterator[str]:
    numbers = (told.value, told.low, told.high)
    if not all(map(math.isfinite, numbers)):
        yield f"{name} is not a finite number"
        return
    shown = f"{name} {told.value:g} [{told.low:g}, {told.high:g}]"
    if not told.low <= told.value <= told.high:
        yield f"{shown}: the interval does not contain the estimate"
    elif abs(told.value - found[0]) > CLOSE:
        yield f"{shown}: the wins give {found[0]:.6g}"
    elif _distance(numbers[1:], found[1:]) > CLOSE + SPREAD * (found[2] - found[1]):
        yield f"{shown}: the wins give the interval [{found[1]:.6g}, {found[2]:.6g}]"


def _distance(told: Sequence[float], found: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(told, found, strict=True))


def _about_setups(row: Row, fold: Fold, results: Results) -> Iterator[str]:
    digest = digest_of(held_out_setups(results.game, fold, row.setups, results.protocol.seed))
    if row.digest != digest:
        yield (
            f"its set-ups have the digest {quoted(row.digest)}; those of seed {results.protocol.seed} have {quoted(digest)}"
        )
