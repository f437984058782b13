"""Many games as one call, written once over verbs: step, autoreset, rewards, masks, observations; random play; counting."""

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
ROWS_PER_CHUNK = 8  # threads wait for each other's last chunk

# What ``step_all`` reports of a game, a column each.
REPORT_STATUS, REPORT_SEAT, REPORT_PHASE, REPORT_ROUND, REPORT_OVER, REPORT_PLAYERS = range(6)
N_REPORT = 6


class Batch(NamedTuple):
    """What a batch keeps beside its games: arrays with a row per game, but for the last four."""

    rows: Any  # row_type
    finals: Any  # the sheets of each row's last finished game
    places: Any  # int8 (n, seats): and the ranks in which it ended
    masks: Any  # int8 (n, actions)
    packed: Any  # uint32 (n, words)
    planes: Any  # uint8 (n, planes, rows, columns)
    vectors: Any  # float32 (n, entries)
    settings: Any  # SETTINGS, one
    table: Any  # the observation's Spec's
    news: Any  # likewise
    totals: Any  # scratch: int64 (workers, 3, seats)


# Single games -----------------------------------------------------------------------------------------------------------


@generic
def report(world, i, status, row):
    """Write into ``row``, int64 (N_REPORT,), how game i stands, all in one place for whoever must make Python's numbers of it."""
    row[REPORT_STATUS] = status
    row[REPORT_SEAT] = seat_to_move(world, i)
    row[REPORT_PHASE] = phase_of(world, i)
    row[REPORT_ROUND] = round_of(world, i)
    row[REPORT_OVER] = is_over(world, i)
    row[REPORT_PLAYERS] = count_players(world, i)


@generic
def report_all(world, reports):
    """Write how every game stands: int64 (n, N_REPORT)."""
    for i in range(reports.shape[0]):
        report(world, i, I64(OK), reports[i])


@generic
def step_all(world, actions, reports):
    """Carry on every game by its action; a game with an illegal action stays as it was. NOTHING: find what is legal."""
    for i in range(actions.shape[0]):
        report(world, i, I64(carry_on(world, i, actions[i])), reports[i])


@generic
def set_up_all(world, states):
    """Begin every game, from a random stream in this state, as the request of its own number asks."""
    for i in range(states.shape[0]):
        world.games[i]["rng"] = states[i]
        set_up(world, i, I64(i))


@generic
def score_all(world):
    """Write the sheets of all games."""
    for i in range(world.games.shape[0]):
        score(world, i)


@generic
def rank_all(world, ranks):
    """Write the places of all seats: int64 (n, seats)."""
    for i in range(world.games.shape[0]):
        rank(world, i, ranks[i])


@generic
def expand_all(world, masks):
    """Write every game's legal actions as a row of int8."""
    for i in range(masks.shape[0]):
        expand(world, i, masks[i])


@generic
def settle_all(world):
    """Bring every game to a decision or its end, and find what is legal there."""
    for i in range(world.games.shape[0]):
        advance(world, i, I64(NOTHING))


@generic
def find_legal_all(world):
    """Find what is legal in every game; all stand at a decision."""
    for i in range(world.games.shape[0]):
        find_legal(world, i)


@generic
def determinize_all(world, seats, words, reports):
    """Resample what ``seats[i]`` cannot see of game i, from a stream that the random word ``words[i]`` begins.

    What is legal and how it stands are found again, and reported: both may depend on what was hidden.
    """
    for i in range(seats.shape[0]):
        world.games[i]["rng"] = words[i]
        deal_hidden(world, i, I64(seats[i]))
        report(world, i, I64(advance(world, i, I64(NOTHING))), reports[i])
        score(world, i)


@generic
def observe_all(world, seats, table, masks, packed, planes, vectors):
    """Write what ``seats[i]`` sees of game i: its mask, empty unless it is to move, and its observation.

    ``table`` is the Spec's; ``planes`` and ``vectors`` may be empty.
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
    """Make game ``k`` of another world the same as game i of this one, with its board."""
    copy_record(world.games, i, other.games, k)
    copy_record(world.boards, i, other.boards, k)
    copy_record(world.legals, i, other.legals, k)
    for seat in range(world.sheets.shape[1]):
        for column in range(world.sheets.shape[2]):
            other.sheets[k, seat, column] = world.sheets[i, seat, column]


@generic
def clone_all(world, which, clones):
    """Write into ``clones`` copies of the GAME records with these numbers; boards do not change and need no copies."""
    for k in range(which.shape[0]):
        copy_record(world.games, which[k], clones, k)


@generic
def play_random(world, seeds, streams, n_steps):
    """Play so many random actions in every game; one that is over begins again, from the next seed. How many were finished."""
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
    """Number of action sequences of this length, 1 or more, from game 0, which is not over; one that ends the game earlier counts once.

    ``is_bulk``: the last actions are counted and not carried out. Games 1 to ``depth`` of the world are for trying. ``actions``, int16 (depth,
    actions), and ``left``, int64 (depth,), are scratch: what is still to be tried after each number of actions.
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
    """Whether the points are kept right at every step; otherwise nobody asks for them before the end."""
    return settings["form"] != Form.NOTHING or settings["reward"] == Reward.SCORE


@generic(inline=True)
def keep_on(world, i, action, is_scored):
    """Carry out an action, with points or without."""
    if is_scored:
        return carry_on(world, i, action)
    return advance(world, i, action)


@generic(inline=True)
def skip_forced(world, i, is_scored, row):
    """As long as there is just one legal action, carry it out."""
    while count_legal(world, i) == 1:
        keep_on(world, i, pick(world, i, U64(0)), is_scored)
        row["n_steps"] += 1


@generic
def begin_row(world, i, row, settings):
    """Begin the game that the row's seed draws, up to its first decision."""
    row["config"] = draw_config(row["seed"], world.requests.shape[0])
    world.games[i]["rng"] = mixed(row["seed"] + U64(GAMMA))
    set_up(world, i, I64(row["config"]))
    advance(world, i, I64(NOTHING))
    if wants_points(settings):
        score(world, i)  # a game need not begin with none
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
    """Carry out a row's action and write what it pays; an illegal one costs the penalty and changes nothing."""
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
    if kind == Reward.SCORE or row["is_over"]:  # at all other times there is nothing to pay
        add_up(world, i, totals[1])
        if row["is_over"]:
            rank(world, i, totals[2])
        add_rewards(
            kind, totals[0], totals[1], totals[2], I64(count_players(world, i)), row["is_over"], settings["score_scale"], row["rewards"]
        )  # fmt: skip


@kernel(inline=True)
def clear_row(row):
    """Forget what the last step paid."""
    for seat in range(row["rewards"].shape[0]):
        row["rewards"][seat] = 0
    row["terminated"] = False
    row["illegal"] = False


@generic(inline=True)
def keep_end(world, i, batch, totals):
    """Keep the points and ranks of a game that has ended."""
    batch.rows[i]["n_steps_final"] = batch.rows[i]["n_steps"]
    n_players = count_players(world, i)
    for seat in range(SEATS):
        batch.places[i, seat] = totals[2][seat] if seat < n_players else 0
        for k in range(batch.finals.shape[2]):
            batch.finals[i, seat, k] = world.sheets[i, seat, k]


@generic(inline=True)
def show_row(world, i, news, batch):
    """Write mask and observation of the seat to move; ``news`` says what the row showed last. The mask of a finished game holds PASS: it is never empty."""
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

    NOTHING as a row's action leaves it as it is. ``worker``: whose scratch is used.
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
        # A forced turn of another seat may have been skipped.
        is_same_turn = seat_to_move(world, i) == seat and not settings["skip_forced"] and not row["is_over"]
        show_row(world, i, I64(News.GAME if is_due else News.TURN if is_same_turn else News.SEAT), batch)


@generic
def work_chunks(control, worker, world, batch, given, picked, errand):
    """``step_rows``, or ``pick_rows`` if the errand says so, over chunks of rows, of which several threads take one after the other (core.chunks).

    ``errand``, uint64 (2,): whether to pick, and the word to pick by.
    """
    if not enter(control, worker):
        return WAITING
    n = I64(batch.rows.shape[0])
    chunk = take(control, worker)
    while chunk != NO_CHUNK:
        first = chunk * ROWS_PER_CHUNK
        last = min(first + ROWS_PER_CHUNK, n)
        if errand[0]:  # a helper stays here from one errand to the next
            pick_rows(world, errand[1], picked, first, last)
        else:
            step_rows(world, batch, given, first, last, worker)
        chunk = take(control, worker)
    return leave(control, worker)


@generic
def begin_rows(world, batch, which):
    """Begin the games of the rows in ``which`` with the seeds that stand there."""
    for i in which:
        row = batch.rows[i]
        clear_row(row)
        begin_row(world, i, row, batch.settings[0])
        show_row(world, i, I64(News.GAME), batch)


@generic
def pick_rows(world, word, actions, first, last):
    """Write a random legal action for each of these games, each with the same probability; PASS for a game that is over."""
    for i in range(first, last):
        action = pick(world, i, mixed(word + U64(i) * U64(GAMMA)))
        actions[i] = I64(PASS) if action == NOTHING else action
