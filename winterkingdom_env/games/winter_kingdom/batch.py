"""The public kernels: each runs over a batch of games, one record of each array per game.

``games``, ``boards`` and ``legals`` are arrays of the records in layout.py and equally long; ``rules`` has length 1.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record, nth_bit, popcount
from winterkingdom_env.core.grid import nth_cell
from winterkingdom_env.core.hexset import count, load, no_hexes
from winterkingdom_env.core.observation import unpack_planes, unpack_vector
from winterkingdom_env.core.rewards import Reward, add_rewards
from winterkingdom_env.core.rng import GAMMA, mixed, scaled
from winterkingdom_env.core.rows import MAX_SEATS, Autoreset, Form, draw_config
from winterkingdom_env.games.winter_kingdom.hidden import deal_hidden
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    DONE,
    FORT,
    HOUSE,
    LIFT,
    LIFT_FIRST,
    N_ACTIONS,
    N_HEXES,
    NONE,
    NOTHING,
    REPORT_PHASE,
    REPORT_ROUND,
    REPORT_SEAT,
    REPORT_STATUS,
    SCORING_IN_PLAY,
    TRIPLE_FIRST,
    UPGRADE_FIRST,
    USE_FIRST,
    Phase,
    Status,
)
from winterkingdom_env.games.winter_kingdom.legal import expand, find_legal
from winterkingdom_env.games.winter_kingdom.observe import (
    COLUMNS,
    FIRST_LAND,
    LAST_LAND,
    N_PLANES,
    OWN_FORTS,
    OWN_HOUSES,
    News,
    observe,
)
from winterkingdom_env.games.winter_kingdom.pieces import find_facts
from winterkingdom_env.games.winter_kingdom.scoring import score
from winterkingdom_env.games.winter_kingdom.setup import furnish, set_up
from winterkingdom_env.games.winter_kingdom.turn import advance, begin_turn

I64 = np.int64
U64 = np.uint64


@kernel
def new_games(games, boards, rules, sides, requests):
    """Set up every game; ``step_all`` with NOTHING then finds its first legal actions."""
    for i in range(games.shape[0]):
        games[i]["rng"] = requests[i]["seed"]
        set_up(games[i], boards[i], rules[0], sides, requests[i])


@kernel
def begin_games(games, boards, rules):
    """Begin games whose records hold a set-up as dealt."""
    for i in range(games.shape[0]):
        furnish(boards[i], rules[0])
        begin_turn(games[i], boards[i])


@kernel
def refresh_all(games, boards):
    """Renew what the records keep about the pieces, for records that were filled by hand."""
    for i in range(games.shape[0]):
        find_facts(games[i], boards[i])


@kernel
def clone_all(which, games, clones):
    """Write into ``clones`` copies of the games with these numbers; boards do not change and need no copies."""
    for k in range(which.shape[0]):
        copy_record(games, which[k], clones, k)


@kernel
def determinize_all(seats, words, games, boards):
    """Resample what ``seats[i]`` cannot see of game i, from a stream that the random word ``words[i]`` begins."""
    for i in range(games.shape[0]):
        games[i]["rng"] = words[i]
        deal_hidden(I64(seats[i]), games[i], boards[i])


@kernel
def legal_all(games, boards, rules, legals):
    """Find the legal actions of every game."""
    for i in range(games.shape[0]):
        find_legal(games[i], boards[i], rules[0], legals[i])


@kernel
def step_all(games, actions, boards, rules, legals, reports):
    """Advance every game by its action; a game with an illegal action stays as it was.

    ``reports``, int64 (n, N_REPORT): the Status, then seat, phase and round, all in one place for whoever must make Python's numbers of them.
    """
    for i in range(games.shape[0]):
        reports[i, REPORT_STATUS] = advance(games[i], actions[i], boards[i], rules[0], legals[i])
        reports[i, REPORT_SEAT] = games[i]["seat"]
        reports[i, REPORT_PHASE] = games[i]["phase"]
        reports[i, REPORT_ROUND] = games[i]["round"]


@kernel
def expand_all(rules, legals, masks):
    """Write every game's legal actions as a row of int8."""
    for i in range(legals.shape[0]):
        expand(rules[0], legals[i], masks[i])


@kernel
def score_all(games, boards, rules, sheets):
    """Score every game as it stands: int16 (n, 4 seats, 3 cards and castles)."""
    for i in range(games.shape[0]):
        score(I64(NONE), no_hexes(), games[i], boards[i], rules[0], sheets[i])


@kernel
def observe_all(seats, games, boards, rules, table, legals, sheets, stale, masks, packed, planes, vectors):
    """Write what ``seats[i]`` sees of game i: its mask, a row of words, and unless ``planes`` is empty planes and a vector.

    ``sheets`` as ``score_all`` writes them; those marked in ``stale`` are written anew. ``table`` is the observation's Spec's.
    """
    for i in range(games.shape[0]):
        seat = I64(seats[i])
        if stale[i]:
            score(I64(NONE), no_hexes(), games[i], boards[i], rules[0], sheets[i])
            stale[i] = False
        if seat == games[i]["seat"]:
            expand(rules[0], legals[i], masks[i])
        else:
            for action in range(N_ACTIONS):
                masks[i, action] = 0
        observe(seat, I64(News.GAME), games[i], boards[i], rules[0], legals[i], sheets[i], packed[i])
        if planes.shape[0] > 0:
            unpack_planes(packed[i], I64(0), I64(N_PLANES), I64(COLUMNS), planes[i])
            unpack_vector(packed[i], table, vectors[i])


@kernel
def count_kinds(legal):
    """Numbers of legal actions by kind, in the order of the action numbers; ``done`` comes last."""
    return (
        count(load(legal["hexes"], HOUSE)),
        count(load(legal["hexes"], FORT)),
        count(load(legal["hexes"], LIFT)),
        popcount(U64(legal["use"])),
        popcount(U64(legal["acquire"])),
        popcount(U64(legal["upgrade"])),
        popcount(U64(legal["triple"])),
        I64(legal["done"]),
    )


@kernel
def count_legal(legal):
    """Number of legal actions."""
    total = I64(0)
    for n in count_kinds(legal):
        total += n
    return total


@kernel
def pick(word, rules, legal):
    """The legal action that a random word chooses, each with the same chance; NOTHING if there is none."""
    sizes = count_kinds(legal)
    total = I64(0)
    for n in sizes:
        total += n
    if total == 0:
        return I64(NOTHING)
    n = scaled(word, total)
    for kind in range(3):
        if n < sizes[kind]:
            cell = nth_cell(legal["hexes"], kind, n)
            return I64(kind * N_HEXES + rules["hex_at"][cell >> 5][cell & 31])
        n -= sizes[kind]
    if n < sizes[3]:
        return I64(USE_FIRST + nth_bit(U64(legal["use"]), n))
    n -= sizes[3]
    if n < sizes[4]:
        return I64(ACQUIRE_FIRST + nth_bit(U64(legal["acquire"]), n))
    n -= sizes[4]
    if n < sizes[5]:
        return I64(UPGRADE_FIRST + nth_bit(U64(legal["upgrade"]), n))
    n -= sizes[5]
    if n < sizes[6]:
        return I64(TRIPLE_FIRST + nth_bit(U64(legal["triple"]), n))
    return I64(DONE)


@kernel
def play_random_all(games, boards, rules, sides, requests, legals, streams, n_steps):
    """Play ``n_steps`` random actions in every game; a game that is over begins anew, with a set-up of its own.

    ``streams`` are the uint64 states of the random streams that choose. Returns the number of games that were finished.
    """
    finished = 0
    for i in range(games.shape[0]):
        for _ in range(n_steps):
            streams[i] += U64(GAMMA)
            action = pick(mixed(streams[i]), rules[0], legals[i])
            if action == NOTHING:
                finished += 1
                requests[i]["seed"] += U64(1)
                games[i]["rng"] = requests[i]["seed"]
                set_up(games[i], boards[i], rules[0], sides, requests[i])
            advance(games[i], action, boards[i], rules[0], legals[i])
    return finished


# Vector environments --------------------------------------------------------------------------------------------------


@kernel
def skip_forced(row, game, board, rules, legal):
    """As long as there is just one legal action, carry it out."""
    while count_legal(legal) == 1:
        advance(game, pick(U64(0), rules, legal), board, rules, legal)
        row["n_steps"] += 1


@kernel
def begin_row(row, game, board, rules, sides, requests, settings, legal, sheet):
    """Begin the game that the row's seed draws, up to its first decision."""
    row["config"] = draw_config(row["seed"], requests.shape[0])
    request = requests[row["config"]]
    game["rng"] = mixed(row["seed"] + U64(GAMMA))
    set_up(game, board, rules, sides[request["sides"]], request)
    advance(game, I64(NOTHING), board, rules, legal)
    row["n_players"] = board["n_players"]
    row["n_steps"] = 0
    row["is_over"] = False
    for seat in range(MAX_SEATS):
        for k in range(SCORING_IN_PLAY + 1):
            sheet[seat][k] = 0
    if settings["skip_forced"]:
        skip_forced(row, game, board, rules, legal)
    row["seat"] = game["seat"]


@kernel
def add_up(n_players, sheet, totals):
    """Write each seat's points."""
    for seat in range(n_players):
        totals[seat] = I64(0)
        for k in range(SCORING_IN_PLAY + 1):
            totals[seat] += I64(sheet[seat][k])


@kernel(inline=True)
def pay(mover, changed, row, game, board, rules, settings, sheet, totals):
    """Renew the running points in ``sheet`` (see ``score``), and pay for their change or for the end of the game."""
    n_players, kind = I64(board["n_players"]), I64(settings["reward"])
    if kind == Reward.SCORE:
        add_up(n_players, sheet, totals[0])
    score(mover, changed, game, board, rules, sheet)
    if kind == Reward.SCORE or row["is_over"]:  # at all other times there is nothing to pay
        add_up(n_players, sheet, totals[1])
        add_rewards(kind, totals[0], totals[1], n_players, row["is_over"], settings["score_scale"], row["rewards"])


@kernel(inline=True)
def play_row(row, action, game, board, rules, settings, legal, sheet, totals):
    """Carry out a row's action and write what it pays; an illegal one costs the penalty and changes nothing."""
    mover, before = I64(game["seat"]), load(game["taken"], 0)
    moves_a_piece = action < LIFT_FIRST or (action < USE_FIRST and game["phase"] != Phase.LIFT)
    if advance(game, action, board, rules, legal) != Status.OK:
        row["illegal"] = True
        row["rewards"][game["seat"]] = settings["penalty"]
        return
    row["n_steps"] += 1
    if settings["skip_forced"]:
        n_steps = row["n_steps"]
        skip_forced(row, game, board, rules, legal)
        if row["n_steps"] != n_steps:
            moves_a_piece, mover = True, I64(NONE)
    row["seat"] = game["seat"]
    row["is_over"] = game["phase"] == Phase.OVER
    row["terminated"] = row["is_over"]
    wants_points = settings["form"] != Form.NOTHING or settings["reward"] == Reward.SCORE
    if row["is_over"] or (moves_a_piece and wants_points):
        changed = before ^ load(game["taken"], 0)
        pay(mover if wants_points else I64(NONE), changed, row, game, board, rules, settings, sheet, totals)


@kernel
def show_row(row, news, game, board, rules, table, settings, legal, sheet, mask, packed, planes, vector):
    """Write mask and observation of the seat to move; ``news`` says what the row showed last. The mask of a finished game holds ``done``: it is never empty."""
    expand(rules, legal, mask)
    if row["is_over"]:
        mask[DONE] = 1
    if settings["form"] == Form.NOTHING:
        return
    observe(I64(game["seat"]), news, game, board, rules, legal, sheet, packed)
    if settings["form"] == Form.PLANES:
        columns = I64(COLUMNS)
        for plane in (I64(OWN_HOUSES), I64(OWN_FORTS)):
            unpack_planes(packed, plane, plane + 1 if news == News.TURN else plane + MAX_SEATS, columns, planes)
        if news == News.GAME:
            unpack_planes(packed, I64(FIRST_LAND), I64(LAST_LAND), columns, planes)
        unpack_planes(packed, I64(LAST_LAND), I64(N_PLANES), columns, planes)
        unpack_vector(packed, table, vector)


@kernel
def step_rows(
    first, last, chunk, rows, actions, games, boards, rules, table, sides, requests, settings,
    legals, sheets, finals, masks, packed, planes, vectors, totals,
):  # fmt: skip
    """Step the rows from ``first`` to ``last`` - 1: actions, rewards, next games, masks, observations.

    NOTHING as a row's action leaves it as it is. ``totals`` is scratch, one per chunk.
    """
    for i in range(first, last):
        row, game, board, legal, sheet = rows[i], games[i], boards[i], legals[i], sheets[i]
        for player in range(MAX_SEATS):
            row["rewards"][player] = 0
        row["terminated"] = False
        row["illegal"] = False
        seat = game["seat"]
        is_due = row["is_over"] and settings[0]["autoreset"] == Autoreset.NEXT_STEP
        if actions[i] == NOTHING or (row["is_over"] and not is_due):
            continue
        if not is_due:
            play_row(row, actions[i], game, board, rules[0], settings[0], legal, sheet, totals[chunk])
            if row["illegal"]:
                continue
            if row["is_over"]:
                row["n_steps_final"] = row["n_steps"]
                for player in range(MAX_SEATS):
                    for k in range(SCORING_IN_PLAY + 1):
                        finals[i][player][k] = sheet[player][k]
                is_due = settings[0]["autoreset"] == Autoreset.SAME_STEP
        if is_due:
            row["seed"] += settings[0]["stride"]
            begin_row(row, game, board, rules[0], sides, requests, settings[0], legal, sheet)
        # A forced turn of another seat may have been skipped.
        is_same_turn = game["seat"] == seat and not settings[0]["skip_forced"] and not row["is_over"]
        news = I64(News.GAME if is_due else News.TURN if is_same_turn else News.SEAT)
        place = 0 if settings[0]["form"] == Form.NOTHING else i
        plane = i if settings[0]["form"] == Form.PLANES else 0
        show_row(
            row, news, game, board, rules[0], table, settings[0], legal, sheet, masks[i], packed[place], planes[plane], vectors[plane]
        )  # fmt: skip


@kernel(parallel=True)
def step_chunks(
    n_chunks, rows, actions, games, boards, rules, table, sides, requests, settings,
    legals, sheets, finals, masks, packed, planes, vectors, totals,
):  # fmt: skip
    """``step_rows`` over all rows, in chunks that several threads take."""
    n = rows.shape[0]
    for k in prange(n_chunks):
        chunk = I64(k)  # prange counts in uint64
        step_rows(
            n * chunk // n_chunks, n * (chunk + 1) // n_chunks, chunk, rows, actions, games, boards, rules, table, sides,
            requests, settings, legals, sheets, finals, masks, packed, planes, vectors, totals,
        )  # fmt: skip


@kernel
def begin_rows(
    which, rows, games, boards, rules, table, sides, requests, settings,
    legals, sheets, masks, packed, planes, vectors,
):  # fmt: skip
    """Begin the games of the rows in ``which`` with the seeds that stand there."""
    for i in which:
        row = rows[i]
        for seat in range(MAX_SEATS):
            row["rewards"][seat] = 0
        row["terminated"] = False
        row["illegal"] = False
        begin_row(row, games[i], boards[i], rules[0], sides, requests, settings[0], legals[i], sheets[i])
        place = 0 if settings[0]["form"] == Form.NOTHING else i
        plane = i if settings[0]["form"] == Form.PLANES else 0
        show_row(
            row, I64(News.GAME), games[i], boards[i], rules[0], table, settings[0], legals[i], sheets[i], masks[i], packed[place],
            planes[plane], vectors[plane],
        )  # fmt: skip


@kernel
def pick_all(word, rules, legals, actions):
    """Write a random legal action per game, each with the same chance; ``done`` for a game that is over."""
    for i in range(legals.shape[0]):
        action = pick(mixed(word + U64(i) * U64(GAMMA)), rules[0], legals[i])
        actions[i] = I64(DONE) if action == NOTHING else action
