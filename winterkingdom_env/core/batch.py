"""Generic kernels over many games: step, autoreset, rewards, masks, observations, random play, perft."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.chunks import NO_CHUNK, WAITING, enter, leave, take
from winterkingdom_env.core.observation import News, unpack_plane, unpack_vector
from winterkingdom_env.core.rewards import Reward, add_rewards
from winterkingdom_env.core.rng import GAMMA, mixed
from winterkingdom_env.core.rows import Autoreset, Form, draw_config
from winterkingdom_env.core.verbs import (
    N_ACTIONS,
    NOTHING,
    OK,
    PASS,
    PLANE_COLUMNS,
    PLANE_ROWS,
    SEATS,
    advance,
    carry_on,
    copy_game,
    count_legal,
    count_players,
    deal_hidden,
    expand,
    find_legal,
    generic,
    is_over,
    list_legal,
    observe,
    phase_of,
    pick,
    points,
    rank,
    round_of,
    score,
    seat_to_move,
    set_up,
)

I64 = np.int64
U64 = np.uint64
ROWS_PER_CHUNK = 8  # small, because threads wait for the last chunk of each other

# The columns of the report of ``step_all``.
REPORT_STATUS, REPORT_SEAT, REPORT_PHASE, REPORT_ROUND, REPORT_OVER, REPORT_PLAYERS = range(6)
N_REPORT = 6


class Batch(NamedTuple):
    """The arrays of a batch besides its World. All but the last four have one row per game."""

    rows: Any  # row_type
    finals: Any  # score sheets of each row's last finished game
    places: Any  # int8 (n, seats): ranks of that game
    masks: Any  # int8 (n, actions)
    packed: Any  # uint32 (n, words)
    planes: Any  # uint8 (n, planes, rows, columns)
    vectors: Any  # float32 (n, entries)
    settings: Any  # SETTINGS, length 1
    table: Any  # Spec.table
    news: Any  # Spec.news
    totals: Any  # scratch: int64 (workers, 3, seats)


# Single games -----------------------------------------------------------------------------------------------------------


@generic
def report(world, i, status, row):
    """Write the status of game i into ``row``, int64 (N_REPORT,): one array that Python converts at once."""
    row[REPORT_STATUS] = status
    row[REPORT_SEAT] = seat_to_move(world, i)
    row[REPORT_PHASE] = phase_of(world, i)
    row[REPORT_ROUND] = round_of(world, i)
    row[REPORT_OVER] = is_over(world, i)
    row[REPORT_PLAYERS] = count_players(world, i)


@generic
def report_all(world, reports):
    """Write the status of every game: int64 (n, N_REPORT)."""
    for i in range(reports.shape[0]):
        report(world, i, I64(OK), reports[i])


@generic
def step_all(world, actions, reports):
    """Apply an action to every game; a game with an illegal action does not change. NOTHING: only find the legal actions."""
    for i in range(actions.shape[0]):
        report(world, i, I64(carry_on(world, i, actions[i])), reports[i])


@generic
def set_up_all(world, states):
    """Set up every game i from a random stream in state ``states[i]``, with request i."""
    for i in range(states.shape[0]):
        world.games[i]["rng"] = states[i]
        set_up(world, i, I64(i))


@generic
def score_all(world):
    """Write the score sheets of all games."""
    for i in range(world.games.shape[0]):
        score(world, i)


@generic
def rank_all(world, ranks):
    """Write the ranks of all seats: int64 (n, seats)."""
    for i in range(world.games.shape[0]):
        rank(world, i, ranks[i])


@generic
def expand_all(world, masks):
    """Write every game's action mask, a row of int8."""
    for i in range(masks.shape[0]):
        expand(world, i, masks[i])


@generic
def advance_to_decision_all(world):
    """Advance every game to a decision or its end, and find the legal actions there."""
    for i in range(world.games.shape[0]):
        advance(world, i, I64(NOTHING))


@generic
def find_legal_all(world):
    """Find the legal actions of every game; all games must be at a decision."""
    for i in range(world.games.shape[0]):
        find_legal(world, i)


@generic
def determinize_all(world, seats, words, reports):
    """Resample everything in game i that is hidden from ``seats[i]``, with a stream seeded by the random word ``words[i]``.

    Legal actions and reports are updated: both may depend on hidden information.
    """
    for i in range(seats.shape[0]):
        world.games[i]["rng"] = words[i]
        deal_hidden(world, i, I64(seats[i]))
        report(world, i, I64(advance(world, i, I64(NOTHING))), reports[i])
        score(world, i)


@generic
def observe_all(world, seats, table, masks, packed, planes, vectors):
    """Write the observation of seat ``seats[i]`` in game i, and its mask, which is all zeros unless the seat is to act.

    ``table`` is Spec.table; ``planes`` and ``vectors`` may be empty.
    """
    for i in range(seats.shape[0]):
        seat = I64(seats[i])
        if seat == seat_to_move(world, i):
            expand(world, i, masks[i])
        else:
            for action in range(N_ACTIONS):
                masks[i, action] = 0
        observe(world, i, seat, I64(News.GAME), packed[i])
        if planes.shape[0] > 0:
            for plane in range(planes.shape[1]):
                unpack_plane(packed[i], plane, PLANE_ROWS, PLANE_COLUMNS, planes[i])
            unpack_vector(packed[i], table, I64(News.GAME), vectors[i])


@generic
def copy_across(world, i, other, k):
    """Copy game i, with its board, to game ``k`` of another World."""
    copy_record(world.games, i, other.games, k)
    copy_record(world.boards, i, other.boards, k)
    copy_record(world.legals, i, other.legals, k)
    for seat in range(world.sheets.shape[1]):
        for column in range(world.sheets.shape[2]):
            other.sheets[k, seat, column] = world.sheets[i, seat, column]


@generic
def clone_all(world, which, clones):
    """Copy the GAME records with these indices into ``clones``; boards are constant and need no copies."""
    for k in range(which.shape[0]):
        copy_record(world.games, which[k], clones, k)


@generic
def play_random(world, seeds, streams, n_steps):
    """Play ``n_steps`` random actions in every game and return the number of finished games; a finished game restarts with the next seed."""
    finished = 0
    for i in range(seeds.shape[0]):
        for _ in range(n_steps):
            streams[i] += U64(GAMMA)
            action = pick(world, i, mixed(streams[i]))
            if action == NOTHING:
                finished += 1
                seeds[i] += U64(1)
                world.games[i]["rng"] = seeds[i]
                set_up(world, i, I64(i))
            advance(world, i, action)
    return finished


@generic
def count_sequences(world, depth, is_bulk, actions, left):
    """The number of action sequences of length ``depth``, at least 1, from game 0, which is not over; one that ends earlier counts once.

    ``is_bulk``: count the actions at the last level without applying them. Games 1 to ``depth`` of the World are scratch, as are ``actions``,
    int16 (depth, actions), and ``left``, int64 (depth,), the actions that are left at each level.
    """
    total, k = I64(0), I64(0)
    left[0] = list_legal(world, I64(0), actions[0])
    while k >= 0:
        if k + 1 == depth and is_bulk:
            total += left[k]
            left[k] = 0
        if left[k] == 0:
            k -= 1
            continue
        left[k] -= 1
        copy_game(world, k, k + 1)
        advance(world, k + 1, I64(actions[k, left[k]]))
        if k + 1 == depth or is_over(world, k + 1):
            total += 1
        elif k + 2 == depth and is_bulk:
            total += count_legal(world, k + 1)
        else:
            k += 1
            left[k] = list_legal(world, k, actions[k])
    return total


# Vector environments ----------------------------------------------------------------------------------------------------


@kernel(inline=True)
def wants_points(settings):
    """Whether scores are updated at every step; otherwise they are computed only at the end."""
    return settings["form"] != Form.NOTHING or settings["reward"] == Reward.SCORE


@generic(inline=True)
def keep_on(world, i, action, is_scored):
    """Apply an action, with or without updating the scores."""
    if is_scored:
        return carry_on(world, i, action)
    return advance(world, i, action)


@generic(inline=True)
def skip_forced(world, i, is_scored, row):
    """While there is exactly one legal action, apply it."""
    while count_legal(world, i) == 1:
        keep_on(world, i, pick(world, i, U64(0)), is_scored)
        row["n_steps"] += 1


@generic
def begin_row(world, i, row, settings):
    """Start a game from the row's seed, up to its first decision."""
    row["config"] = draw_config(row["seed"], world.requests.shape[0])
    world.games[i]["rng"] = mixed(row["seed"] + U64(GAMMA))
    set_up(world, i, I64(row["config"]))
    advance(world, i, I64(NOTHING))
    if wants_points(settings):
        score(world, i)  # a game may start with points
    row["n_players"] = count_players(world, i)
    row["n_steps"] = 0
    row["is_over"] = False
    if settings["skip_forced"]:
        skip_forced(world, i, wants_points(settings), row)
    row["seat"] = seat_to_move(world, i)


@generic(inline=True)
def add_up(world, i, totals):
    """Write each seat's points."""
    for seat in range(count_players(world, i)):
        totals[seat] = points(world, i, I64(seat))


@generic(inline=True)
def play_row(world, i, action, row, settings, totals):
    """Apply a row's action and write the rewards; an illegal action costs the penalty and changes nothing."""
    kind, is_scored = I64(settings["reward"]), wants_points(settings)
    if kind == Reward.SCORE:
        add_up(world, i, totals[0])
    if keep_on(world, i, action, is_scored) != OK:
        row["illegal"] = True
        row["rewards"][seat_to_move(world, i)] = settings["penalty"]
        return
    row["n_steps"] += 1
    if settings["skip_forced"]:
        skip_forced(world, i, is_scored, row)
    row["seat"] = seat_to_move(world, i)
    row["is_over"] = is_over(world, i)
    row["terminated"] = row["is_over"]
    if row["is_over"] and not is_scored:
        score(world, i)
    if kind == Reward.SCORE or row["is_over"]:  # otherwise all rewards are 0
        add_up(world, i, totals[1])
        if row["is_over"]:
            rank(world, i, totals[2])
        add_rewards(
            kind, totals[0], totals[1], totals[2], I64(count_players(world, i)), row["is_over"], settings["score_scale"], row["rewards"]
        )  # fmt: skip


@kernel(inline=True)
def clear_row(row):
    """Reset the results of the last step."""
    for seat in range(row["rewards"].shape[0]):
        row["rewards"][seat] = 0
    row["terminated"] = False
    row["illegal"] = False


@generic(inline=True)
def keep_end(world, i, batch, totals):
    """Store the points and ranks of a finished game."""
    batch.rows[i]["n_steps_final"] = batch.rows[i]["n_steps"]
    n_players = count_players(world, i)
    for seat in range(SEATS):
        batch.places[i, seat] = totals[2][seat] if seat < n_players else 0
        for k in range(batch.finals.shape[2]):
            batch.finals[i, seat, k] = world.sheets[i, seat, k]


@generic(inline=True)
def show_row(world, i, news, batch):
    """Write mask and observation of the seat to act. ``news``: what the row held before. The mask of a finished game contains only PASS."""
    form = batch.settings[0]["form"]
    mask = batch.masks[i]
    expand(world, i, mask)
    if batch.rows[i]["is_over"]:
        mask[PASS] = 1
    if form == Form.NOTHING:
        return
    packed = batch.packed[i]
    observe(world, i, I64(seat_to_move(world, i)), news, packed)
    if form == Form.PLANES:
        for plane in range(batch.news.shape[0]):
            if news <= batch.news[plane]:
                unpack_plane(packed, plane, PLANE_ROWS, PLANE_COLUMNS, batch.planes[i])
        unpack_vector(packed, batch.table, news, batch.vectors[i])


@generic
def step_rows(world, batch, actions, first, last, worker):
    """Step the rows from ``first`` to ``last`` - 1: actions, rewards, next games, masks, observations.

    The action NOTHING leaves a row unchanged. ``worker``: the thread whose scratch is used.
    """
    settings, totals = batch.settings[0], batch.totals[worker]
    for i in range(first, last):
        row = batch.rows[i]
        clear_row(row)
        seat = seat_to_move(world, i)
        is_due = row["is_over"] and settings["autoreset"] == Autoreset.NEXT_STEP
        if actions[i] == NOTHING or (row["is_over"] and not is_due):
            continue
        if not is_due:
            play_row(world, i, actions[i], row, settings, totals)
            if row["illegal"]:
                continue
            if row["is_over"]:
                keep_end(world, i, batch, totals)
                is_due = settings["autoreset"] == Autoreset.SAME_STEP
        if is_due:
            row["seed"] += settings["stride"]
            begin_row(world, i, row, settings)
        # Forced turns of other seats may have been skipped.
        is_same_turn = seat_to_move(world, i) == seat and not settings["skip_forced"] and not row["is_over"]
        show_row(world, i, I64(News.GAME if is_due else News.TURN if is_same_turn else News.SEAT), batch)


@generic
def work_chunks(control, worker, world, batch, given, picked, errand):
    """Run ``step_rows``, or ``pick_rows`` depending on ``errand``, over chunks of rows that several threads share (core.chunks).

    ``errand``, uint64 (2,): whether to pick, and the random word for it.
    """
    if not enter(control, worker):
        return WAITING
    n = I64(batch.rows.shape[0])
    chunk = take(control, worker)
    while chunk != NO_CHUNK:
        first = chunk * ROWS_PER_CHUNK
        last = min(first + ROWS_PER_CHUNK, n)
        if errand[0]:  # read again for each chunk: a helper stays in this loop from one task to the next
            pick_rows(world, errand[1], picked, first, last)
        else:
            step_rows(world, batch, given, first, last, worker)
        chunk = take(control, worker)
    return leave(control, worker)


@generic
def begin_rows(world, batch, which):
    """Start new games in the rows ``which``, from the seeds in these rows."""
    for i in which:
        row = batch.rows[i]
        clear_row(row)
        begin_row(world, i, row, batch.settings[0])
        show_row(world, i, I64(News.GAME), batch)


@generic
def pick_rows(world, word, actions, first, last):
    """Write a uniformly random legal action for each of these games; PASS for a game that is over."""
    for i in range(first, last):
        action = pick(world, i, mixed(word + U64(i) * U64(GAMMA)))
        actions[i] = I64(PASS) if action == NOTHING else action
