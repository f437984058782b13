"""The gold of a position: scoring cards, tasks, castles, palaces and capitols (section 6 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import (
    SOUTH,
    SOUTH_WEST,
    all_around,
    count_joined,
    first_group,
    flood,
    meets,
    n_touched,
    ring,
    spread,
    step,
)
from winterkingdom_env.core.hexset import count, first_hex, is_empty, load, no_hexes
from winterkingdom_env.games.kingdom_builder.kinds import Area, Measure, Task, Terrain
from winterkingdom_env.games.kingdom_builder.layout import (
    AXES,
    CAPITOLS_COLUMN,
    CASTLES_COLUMN,
    FIRST_IN_PLAY,
    MAX_PLAYERS,
    MOST_CAPITOLS,
    MOST_TASKS,
    N_LEVELS,
    N_PLACES,
    N_SHEET,
    NONE,
    PALACES_COLUMN,
    ROWS,
    SCORING_IN_PLAY,
    SIDE,
    SPECIAL,
    TASK_COLUMN,
    TREASURE_COLUMN,
    TREASURE_PAID,
    WHOLE,
)
from winterkingdom_env.games.kingdom_builder.pieces import hex_set
from winterkingdom_env.games.kingdom_builder.tables import LONG

I64, U32, U64 = np.int64, np.uint32, np.uint64
SEAT_BITS = 8  # bits per seat where the counts of several seats share a word


@kernel
def lines_with(pieces, least, most, rows):
    """Number of rows, of the first ``rows``, with ``least`` to ``most`` pieces; ``pieces`` is a row of GAME's field."""
    n = I64(0)
    for row in range(rows):
        n += least <= popcount(U64(pieces[row])) <= most
    return n


@kernel
def best_line(pieces):
    """The largest number of pieces in one row of the main board."""
    best = I64(0)
    for row in range(SIDE):
        best = max(best, popcount(U64(pieces[row])))
    return best


@kernel
def largest_group(pieces, links):
    """Pieces of the largest group."""
    best, rest = I64(0), pieces
    while count(rest) > best:  # stop when the rest cannot hold a larger group
        group = first_group(rest, links)
        rest = rest & ~group
        best = max(best, count(group))
    return best


@kernel
def n_groups(pieces, near, links):
    """Number of groups."""
    n, rest = count(pieces & ~near), pieces & near  # pieces that stand alone, and the others
    while not is_empty(rest):
        rest = rest & ~first_group(rest, links)
        n += 1
    return n


@kernel
def extent(cells, axis, rules):
    """Number of levels from the first to the last one with a hex of ``cells``, which must not be empty."""
    first, last = 0, N_LEVELS - 1
    while not meets(cells, load(rules["level"][axis], first)):
        first += 1
    while not meets(cells, load(rules["level"][axis], last)):
        last -= 1
    return last - first + 1


@kernel
def longest_way(pieces, near, links, rules):
    """The hexes of the longest way between two pieces of one group, both counted; 0 without a group of two (p. 19; decision 32).

    The distance of two hexes is the largest of their differences in row, column and row + column.
    """
    best, rest = I64(0), pieces & near
    while not is_empty(rest):
        group = first_group(rest, links)
        rest = rest & ~group
        for axis in range(AXES):
            best = max(best, I64(extent(group, axis, rules)))
    return best


@kernel
def areas_joined(pieces, terrain, board):
    """Number of areas of a terrain that a group joins to another one; a piece joins areas that it touches or stands on (p. 19)."""
    links, areas = board["links"], load(board["terrain"], terrain)
    found, rest = no_hexes(), pieces
    while not is_empty(rest):
        group = first_group(rest, links)
        rest = rest & ~group
        reached = flood((spread(group, links) | group) & areas, areas, links)
        if not is_empty(reached & ~first_group(reached, links)):
            found = found | reached
    n = I64(0)
    while not is_empty(found):
        found = found & ~first_group(found, links)
        n += 1
    return n


@kernel
def weakest_quadrant(pieces, rules):
    """Pieces in the quadrant with fewest of them."""
    least = count(pieces & load(rules["area"], 0))
    for place in range(1, N_PLACES):
        least = min(least, count(pieces & load(rules["area"], place)))
    return least


@kernel
def strongest_quadrant(pieces, rules):
    """Pieces in the quadrant with most of them."""
    most = I64(0)
    for place in range(N_PLACES):
        most = max(most, count(pieces & load(rules["area"], place)))
    return most


@kernel
def measured(seat, measure, arg, game, board, rules):
    """The number of things that a card counts for a seat, for cards that look at one seat."""
    pieces, near, links = load(game["pieces"], seat), load(game["near"], seat), board["links"]
    if measure == Measure.TOUCHING:
        return count(pieces & load(board["touching"], arg) & ~load(board["terrain"], arg))
    if measure == Measure.TOUCHING_SPECIAL:
        return count(pieces & load(board["touching"], SPECIAL))
    if measure == Measure.SPECIALS_JOINED:
        return I64(count_joined(load(board["terrain"], SPECIAL), pieces, near, links))
    if measure == Measure.LINES:
        return lines_with(game["pieces"][seat], 1, 32, ROWS)
    if measure == Measure.BEST_LINE:
        return best_line(game["pieces"][seat])
    if measure == Measure.GROUPS:
        return n_groups(pieces, near, links)
    if measure == Measure.LARGEST_GROUP:
        return largest_group(pieces, links) // arg
    if measure == Measure.WEAKEST_QUADRANT:
        return weakest_quadrant(pieces, rules)
    return measured_more(seat, measure, arg, game, board, rules)


@kernel
def measured_more(seat, measure, arg, game, board, rules):
    """The same for the cards of Marshlands and Harvest."""
    pieces, near, links = load(game["pieces"], seat), load(game["near"], seat), board["links"]
    if measure == Measure.AREAS_JOINED:
        return areas_joined(pieces, arg, board)
    if measure == Measure.LONGEST_WAY:
        return longest_way(pieces, near, links, rules)
    if measure == Measure.ON_SEAM:
        return count(pieces & load(rules["area"], Area.SEAM))
    if measure == Measure.TOUCHING_REMOVED:
        if board["removed"] == NONE:
            return I64(0)
        return count(pieces & load(board["touching"], board["removed"]) & ~load(board["terrain"], board["removed"]))
    if measure == Measure.STRONGEST_QUADRANT:
        return strongest_quadrant(pieces, rules)
    if measure == Measure.LONELY_LINES:
        return lines_with(game["pieces"][seat], 1, 1, ROWS)
    if measure == Measure.MARKED_LINES:
        return popcount(U64(game["lines"][seat]))
    if measure == Measure.ON_EDGE:
        return count(pieces & load(rules["area"], Area.EDGE))
    ones, twos, fours = n_touched(pieces, links)
    if measure == Measure.TOUCHING_OWN:  # three or more
        return count(pieces & (fours | (ones & twos)))
    return count(pieces & twos & ~ones & ~fours)  # TOUCHING_TWO


# Cards that compare seats -----------------------------------------------------------------------------------------------


@kernel
def add_majority(around, gold, column, game, board, sheet):
    """Add gold for the seats with most pieces in ``around``, if that is at least one (decision 29)."""
    n_players = I64(board["n_players"])
    best, counts = I64(1), I64(0)
    for seat in range(n_players):
        n = count(around & load(game["pieces"], seat))
        counts |= n << (SEAT_BITS * seat)
        best = max(best, n)
    for seat in range(n_players):
        if (counts >> (SEAT_BITS * seat)) & ((1 << SEAT_BITS) - 1) == best:
            sheet[seat][column] += gold


@kernel
def score_majorities(places, gold, column, game, board, sheet):
    """Add gold for the majority at each of these hexes."""
    rest = places
    while not is_empty(rest):
        place = first_hex(rest)
        rest = rest & ~place
        add_majority(spread(place, board["links"]), gold, column, game, board, sheet)


@kernel
def score_lords(gold, column, game, board, rules, sheet):
    """Per quadrant: gold for the highest number of pieces, half of it for the next lower one; 0 is a number (p. 5; decision 30)."""
    n_players = I64(board["n_players"])
    for place in range(N_PLACES):
        area = load(rules["area"], place)
        best, second = I64(NONE), I64(NONE)
        for seat in range(n_players):
            n = count(area & load(game["pieces"], seat))
            if n > best:
                best, second = n, best
            elif second < n < best:
                second = n
        for seat in range(n_players):
            n = count(area & load(game["pieces"], seat))
            if n == best:
                sheet[seat][column] += gold
            elif n == second:
                sheet[seat][column] += gold // 2


# Tasks ------------------------------------------------------------------------------------------------------------------


@kernel
def has_home_country(pieces, board):
    """Whether every hex of some area has a piece of ``pieces`` (p. 15)."""
    rest = pieces
    while not is_empty(rest):
        area = flood(first_hex(rest), load(board["terrain"], WHOLE), board["same"])
        rest = rest & ~area
        if is_empty(area & ~pieces):
            return True
    return False


@kernel
def has_road(pieces, links):
    """Whether seven pieces are consecutive on a diagonal (p. 15)."""
    for direction in (SOUTH, SOUTH_WEST):
        line = pieces
        for _ in range(LONG - 1):
            line = step(line, direction, links) & pieces
        if not is_empty(line):
            return True
    return False


@kernel
def fulfils(task, seat, game, board, rules):
    """Whether the seat has fulfilled a task."""
    pieces, links = load(game["pieces"], seat), board["links"]
    if task == Task.HOME_COUNTRY:
        return has_home_country(pieces, board)
    if task == Task.FORTRESS:
        return meets(pieces, all_around(pieces, links))
    if task == Task.ROAD:
        return has_road(pieces, links)
    if task == Task.PLACE_OF_REFUGE:
        return meets(load(board["terrain"], SPECIAL), all_around(pieces, links))
    is_everywhere, is_long = True, False
    for edge in range(I64(Area.NORTH), I64(Area.EAST) + 1):
        n = count(pieces & load(rules["area"], edge))
        is_everywhere = is_everywhere and n > 0
        is_long = is_long or n >= LONG
    return is_long if task == Task.ADVANCE else is_everywhere


# The sheet --------------------------------------------------------------------------------------------------------------


@kernel
def clear_column(column, sheet):
    """Set a column of the sheet to 0."""
    for seat in range(MAX_PLAYERS):
        sheet[seat][column] = 0


@kernel
def score_card(k, first, end, game, board, rules, sheet):
    """Write the gold that the scoring card in place ``k`` pays to the seats from ``first`` to before ``end``; a card that compares seats pays all."""
    card, gold = board["scoring"][k], I64(board["gold"][k])
    measure, arg = rules["measure"][card], rules["measure_arg"][card]
    if measure >= FIRST_IN_PLAY:
        for seat in range(first, end):
            sheet[seat][k] = game["paid"][seat][k]
    elif measure == Measure.QUADRANT_RANKS:
        clear_column(k, sheet)
        score_lords(gold, k, game, board, rules, sheet)
    elif measure == Measure.SPECIAL_MAJORITIES:
        clear_column(k, sheet)
        score_majorities(load(board["terrain"], SPECIAL), gold, k, game, board, sheet)
    else:
        for seat in range(first, end):
            sheet[seat][k] = gold * measured(I64(seat), measure, arg, game, board, rules)


@kernel
def score(mover, game, board, rules, sheet):
    """Write the gold if the game ended now.

    ``mover``: only this seat's pieces have changed since ``sheet`` was written. NONE: write everything.
    """
    first, end = I64(0), I64(board["n_players"])
    if mover == NONE:
        for column in range(N_SHEET):
            clear_column(column, sheet)
    else:
        first, end = mover, mover + 1
    pays_palaces = True
    for k in range(SCORING_IN_PLAY):
        score_card(I64(k), first, end, game, board, rules, sheet)
        # p. 19: the same gold, not twice
        pays_palaces = pays_palaces and rules["measure"][board["scoring"][k]] != Measure.SPECIAL_MAJORITIES
    palaces = load(board["terrain"], Terrain.PALACE)
    if pays_palaces and not is_empty(palaces):
        clear_column(I64(PALACES_COLUMN), sheet)
        score_majorities(palaces, I64(board["palace_gold"]), I64(PALACES_COLUMN), game, board, sheet)
    for seat in range(first, end):
        score_seat(I64(seat), game, board, rules, sheet[seat])


@kernel
def score_seat(seat, game, board, rules, row):
    """Write the gold of one seat for tasks, castles, capitols and treasures."""
    for k in range(MOST_TASKS):
        if board["task"][k] == NONE:  # tasks in play come first
            break
        is_fulfilled = fulfils(I64(board["task"][k]), seat, game, board, rules)
        row[TASK_COLUMN + k] = board["task_gold"][k] if is_fulfilled else 0
    castles = load(board["terrain"], Terrain.CASTLE) & load(game["near"], seat)
    row[CASTLES_COLUMN] = board["castle_gold"] * count(castles)
    row[CAPITOLS_COLUMN] = 0
    for k in range(MOST_CAPITOLS):
        if board["capitol"][k] != NONE:
            capitol = hex_set(I64(board["capitol"][k]), rules)
            around = spread(capitol, board["links"]) | ring(capitol, board["links"])
            row[CAPITOLS_COLUMN] += count(load(game["pieces"], seat) & around)
    row[TREASURE_COLUMN] = game["paid"][seat][TREASURE_PAID]
