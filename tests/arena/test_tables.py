"""The tables of a tournament lose nothing, however narrow the terminal is."""

from __future__ import annotations

import io
import itertools
from collections import Counter

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType

from agents.ratings import Rating
from agents.results import new_tournament
from agents.schedule import Mode, Settings
from agents.summary import Summary, cross_table, elo_text, ladder_table, percent, percent_range, summarise
from tests.arena.helpers import made_up

NAMES = (
    "search:simulations=4000,exploration=1.25,threads=2",
    "some_package.some_module:AgentWithALongName",
    "c",
    "d",
    "e",
    "f",
)


COLUMNS = ["rank", "agent", "Elo", "games", "share", "score", "ms/move", "forfeits"]


def lines_of(content: RenderableType, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, _environ={})
    console.print(content)
    lines = console.file.getvalue().split("\n")  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= width
    return lines


@pytest.fixture(scope="module")
def summary() -> Summary:
    """Six agents, two of them with names that fit into no column, and with numbers as wide as they get."""
    settings = Settings(agents=NAMES, game="winter_kingdom", mode=Mode.ROUND_ROBIN, games=2)
    pairs = enumerate(itertools.combinations(range(len(NAMES)), 2))
    results = [made_up(0, 0, pair, (100 + lineup, 90), lineup) for lineup, pair in pairs]
    results = [replace(result, seats=[NAMES[i] for i in result.numbers]) for result in results]
    found = summarise(new_tournament(settings, "arena", "today"), results, len(results), None)
    ladder = [
        replace(rung, ms_per_move=12345.67, forfeits=10000, rating=replace(rung.rating, elo=-1234.0, elo_low=-1999.0, elo_high=1999.0, games=1000000))
        for rung in found.ladder
    ]  # fmt: skip
    return replace(found, ladder=ladder)


def texts(rating: Rating) -> list[str]:
    return [
        *elo_text(rating),
        percent(rating.share),
        percent_range(rating.share_low, rating.share_high),
        str(rating.games),
    ]


@pytest.mark.parametrize("width", [50, 80, 100, 200])
def test_ladder__has_every_column_and_every_number_in_one_piece(width: int, summary: Summary) -> None:
    lines = lines_of(ladder_table(summary), width)
    heads = [word for line in lines if "rank" in line for word in line.split()]
    assert list(dict.fromkeys(heads)) == COLUMNS
    printed = "\n".join(lines)
    for rung in summary.ladder:
        assert all(words in printed for words in (*texts(rung.rating), "12345.67", "10000"))


def characters(lines: list[str]) -> Counter[str]:
    return Counter(character for line in lines for character in line if character not in " ─")


@pytest.mark.parametrize(("width", "n_blocks"), [(50, 3), (80, 2), (100, 1)])
def test_ladder__names_are_folded_and_nothing_is_cut(width: int, n_blocks: int, summary: Summary) -> None:
    narrow, wide = (lines_of(ladder_table(summary), each) for each in (width, 400))
    if n_blocks > 1:  # title, ranks and names are in every block
        assert sum("Ladder" in line for line in narrow) == n_blocks
        assert not characters(wide) - characters(narrow)
    else:
        assert characters(narrow) == characters(wide)


@pytest.mark.parametrize(("width", "n_tables"), [(80, 2), (100, 2), (200, 1), (40, 3), (24, 6)])
def test_cross_table__is_split_where_it_does_not_fit(width: int, n_tables: int, summary: Summary) -> None:
    lines = lines_of(cross_table(summary), width)
    assert sum("Share of points" in line for line in lines) == n_tables
    printed = "\n".join(lines)
    for pair in summary.pairs:
        assert percent_range(pair.share_low, pair.share_high) in printed
    n_cells = sum(line.count(" %") for line in lines)
    assert n_cells == 2 * len(summary.pairs)
