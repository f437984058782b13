"""The text picture: every hex, piece, card and number of a snapshot is where a reader looks for it."""

from __future__ import annotations

import copy
import re
from itertools import chain
from typing import Any

import pytest

from winterkingdom_env.core.drawing import SEAT_COLOURS, SEAT_STYLES, channels, legal_summary, score_table
from winterkingdom_env.core.picture import Beside, HexMap, Look
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.boards import standard_sides
from winterkingdom_env.games.winter_kingdom.picture_text import TARGET_STYLES, TERRAIN_COLOURS, card_name, side_blocks
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_LETTERS, TERRAIN_NAMES
from winterkingdom_env.render import text

ROW = re.compile(r"^( *)r(\d\d)c(\d\d) (.*) c(\d\d)\b")


def played(n_actions: int, players: int = 3, **options: Any) -> Any:
    """A game after so many random actions."""
    game = wk.new_game(config=wk.Config(num_players=players, **options), seed=7)
    stream = Stream(7)
    for _ in range(n_actions):
        if game.is_over:
            break
        legal = game.legal_actions()
        game.apply(int(legal[stream.draw(len(legal))]))
    return game


def written(
    snapshot: dict[str, Any], colour: bool = False, legal: Any = (), sheet: Any = None, viewer: int | None = None
) -> str:
    return text.render(wk.picture(snapshot, Look(viewer, legal, sheet)), colour)


def cells_of(picture: str) -> dict[str, str]:
    """Hex label to its two characters, read off the picture as a person would: by the labels at the edges."""
    cells = {}
    for line in picture.splitlines():
        match = ROW.match(line)
        if match:
            row, first, last = int(match[2]), int(match[3]), int(match[5])
            start = match.start(4)
            for col in range(first, last + 1):
                at = start + 2 * (col - first)
                cells[f"r{row:02d}c{col:02d}"] = line[at : at + 2]
    return {name: cell for name, cell in cells.items() if cell.strip()}


@pytest.fixture(scope="module")
def game() -> Any:
    """A game in its middle."""
    return played(60)


@pytest.mark.rule("docs/turn.md, coordinates")
def test_board__every_hex__shows_terrain_and_piece_at_its_place(game: Any) -> None:
    snapshot = game.snapshot()
    cells = cells_of(written(snapshot))
    expected = {h["hex"]: " " + TERRAIN_LETTERS[TERRAIN_NAMES.index(h["terrain"])] for h in snapshot["hexes"]}
    for seat, player in enumerate(snapshot["players"]):
        for label in player["houses"]:
            expected[label] = "abc"[seat] + expected[label][1]
        for label in player["forts"]:
            expected[label] = "ABC"[seat] + expected[label][1]
    assert cells == expected
    assert sum(cell[0] != " " for cell in cells.values()) > 10


@pytest.mark.rule("docs/turn.md, coordinates: neighbours")
def test_board__neighbours__stand_next_to_each_other(game: Any) -> None:
    board = next(block for block in wk.picture(game.snapshot(), Look()).blocks if isinstance(block, Beside)).blocks[0]
    assert isinstance(board, HexMap)
    lines = [line.plain for line in text.hex_lines(board)]
    starts = {}
    for line in lines:
        match = ROW.match(line)
        assert match is not None
        starts[int(match[2])] = match.start(4) - 2 * int(match[3])
    assert sorted(starts) == list(range(27))
    assert all(starts[row + 1] == starts[row] + 1 for row in range(26))


@pytest.mark.rule("docs/turn.md, actions: legal targets are marked")
def test_board__legal_targets__are_marked(game: Any) -> None:
    legal = [game.label(action) for action in game.legal_actions()]
    targets = {label.split()[1] for label in legal if label.split()[0] in ("house", "fort", "lift")}
    cells = cells_of(written(game.snapshot(), legal=legal))
    assert {name for name, cell in cells.items() if "*" in cell} == targets
    first = played(0)
    legal = [first.label(action) for action in first.legal_actions()]
    cells = cells_of(written(first.snapshot(), legal=legal))
    marked = {name for name, cell in cells.items() if "*" in cell}
    assert marked == {label.split()[1] for label in legal if label[:5] in ("house", "fort ")} and marked


@pytest.mark.rule("docs/turn.md, actions: lift")
def test_board__lifted_house_and_house_to_lift__are_told_apart(game: Any) -> None:
    snapshot = copy.deepcopy(game.snapshot())
    seat, houses = next((s, p["houses"]) for s, p in enumerate(snapshot["players"]) if len(p["houses"]) > 1)
    snapshot["turn"]["lifted"] = houses[0]
    cells = cells_of(written(snapshot, legal=[f"lift {houses[1]}"]))
    assert cells[houses[0]] == "abc"[seat] + "^"
    assert cells[houses[1]] == "abc"[seat] + "*"
    assert f"lifted {houses[0]}" in written(snapshot)


@pytest.mark.rule("docs/turn.md, snapshot: cards in play")
def test_cards__in_play__are_named_with_their_words() -> None:
    game = played(0, scoring=("Knights", "Royalty", "Miners"), economy="Furs", twist="Boom")
    picture = written(game.snapshot())
    for name, words in (
        ("Knights", "2 per house in the row, in the agreed direction"),
        ("Royalty", "5 per castle joined by one own group to another castle"),
        ("Miners", "3 per mountain area"),
        ("Furs", "1 coin per house built on the top board"),
        ("Boom", "a mandatory piece next to a village allows one extra piece at once"),
    ):
        assert re.search(rf"(scoring|economy|twist) +{name} +{re.escape(words)}", picture), name
    snapshot = game.snapshot()
    assert f"top {snapshot['top_board']}, bottom {snapshot['bottom_board']}" in picture
    assert f"Knights count along a {snapshot['direction']}" in picture
    assert re.search(r"twist +none", written(played(0).snapshot()))


@pytest.mark.rule("docs/turn.md, snapshot: players")
def test_players__hands_and_counts__are_shown_to_those_who_may_see_them() -> None:
    snapshot = played(0).snapshot()
    everything = " ".join(written(snapshot).split())
    for player in snapshot["players"]:
        assert all(name in everything for name in player["hand"])
    mine = " ".join(written(snapshot, viewer=1).split())
    hidden = set(snapshot["players"][0]["hand"]) - set(snapshot["players"][1]["hand"])
    # A scoring or economy card never shares its name with an ability, so any mention would be the hand.
    assert not any(re.search(rf"\b{name}\b", mine) for name in hidden)
    assert all(name in mine for name in snapshot["players"][1]["hand"])
    first, second, third = snapshot["players"]
    assert f"> 0 a {first['coins']} {first['houses_left']} {first['forts_left']} {first['terrain_card']}" in mine
    assert f"1 b {second['coins']} {second['houses_left']} {second['forts_left']} {second['terrain_card']}" in mine
    assert f"2 c {third['coins']} {third['houses_left']} {third['forts_left']} ? Tunnel 5 cards" in mine


@pytest.mark.rule("docs/turn.md, snapshot: in_play")
@pytest.mark.parametrize(
    ("upgraded", "used", "halves", "expected"),
    [
        (False, False, [], "Guide"),
        (True, False, [], "Guide+"),
        (True, False, ["II"], "Guide+ (II used)"),
        (True, True, ["I", "II"], "Guide+ (used)"),
        (False, True, ["I"], "Guide (used)"),
    ],
)
def test_card_name__upgraded_and_used__are_marked(upgraded: bool, used: bool, halves: list[str], expected: str) -> None:
    card = {"card": "Guide", "upgraded": upgraded, "used": used, "used_halves": halves}
    assert card_name(card) == expected


@pytest.mark.rule("docs/turn.md, rounds and the end")
def test_status__whose_turn_and_end__are_told(game: Any) -> None:
    snapshot = game.snapshot()
    letter = "abc"[snapshot["seat"]]
    first_line = written(snapshot).splitlines()[0]
    expected = f"round {snapshot['round']}, seat {snapshot['seat']} {letter} to move, phase {snapshot['phase']}"
    assert first_line.startswith(expected)
    over = played(10_000)
    assert written(over.snapshot()).startswith(f"round {over.round}, the game is over\n")


@pytest.mark.rule("docs/turn.md, score_sheet")
def test_sheet__every_number_and_total__is_there_and_leaders_are_marked() -> None:
    sheet = [
        {"Knights": 4, "Masses": 8, "Pioneers": 0, "Castles": 3},
        {"Knights": 6, "Masses": 4, "Pioneers": 2, "Castles": 3},
    ]
    lines = text.to_text(text.view([score_table(sheet, [0, 1], ["random", "human"])]), colour=False).splitlines()
    rows = [line.split() for line in lines if line.split()]
    assert rows[0] == ["seat", "agent", "Knights", "Masses", "Pioneers", "Castles", "total"]
    assert rows[2] == ["0", "a", "random", "4", "8", "0", "3", "15", "*"]
    assert rows[3] == ["1", "b", "human", "6", "4", "2", "3", "15", "*"]
    sheet[0]["Castles"] = 0
    lines = text.to_text(text.view([score_table(sheet, [1])]), colour=False).splitlines()
    assert [line.split()[-1] for line in lines if re.match(r" *[01] [ab]", line)] == ["12", "*"]


@pytest.mark.rule("docs/turn.md, actions: summary")
def test_legal_summary__hexes_are_counted_or_named__the_rest_is_named() -> None:
    legal = ["house r01c17", "house r01c18", "fort r01c17", "use Mine I", "done"]
    assert legal_summary(legal) == "house on 2 hexes, fort on 1 hex, use Mine I, done"
    assert legal_summary(legal, 2) == "house r01c17 r01c18, fort r01c17, use Mine I, done"
    assert legal_summary(legal, 1) == "house r01c17, on 2 hexes in all, fort r01c17, use Mine I, done"


@pytest.mark.rule("docs/records.md, rendering: plain and coloured")
def test_render__plain_and_coloured__say_the_same_within_100_columns(game: Any) -> None:
    legal = [game.label(action) for action in game.legal_actions()]
    options = {"legal": legal, "sheet": game.score_sheet()}
    plain = written(game.snapshot(), **options)
    coloured = written(game.snapshot(), colour=True, **options)
    assert plain.isascii() and "\x1b" not in plain and "\x1b[" in coloured
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured).replace("\u2500", "-")
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
    assert max(len(line) for line in plain.splitlines()) <= 100


@pytest.mark.rule("docs/records.md, rendering: reads only")
def test_render__snapshot_and_game__are_not_changed(game: Any) -> None:
    snapshot, before = game.snapshot(), game.to_bytes()
    kept = copy.deepcopy(snapshot)
    written(snapshot, legal=["done"], sheet=game.score_sheet(), viewer=0)
    assert snapshot == kept and game.to_bytes() == before


@pytest.mark.rule("docs/records.md, rendering: colours")
def test_styles__terrains_and_seats__have_different_backgrounds_that_can_be_read() -> None:
    colours = [*TERRAIN_COLOURS, *SEAT_COLOURS[:4]]
    assert len(set(colours)) == len(TERRAIN_NAMES) + 4
    for style in (*SEAT_STYLES, *TARGET_STYLES.values()):
        assert style.ink is not None and style.ground is not None
        ink, ground = (sum(channels(colour)) / 3 for colour in (style.ink, style.ground))
        assert abs(ink - ground) > 80


@pytest.mark.rule("p. 2, fourteen board sides")
def test_sides_text__standard_sides__all_fourteen_in_shape() -> None:
    sides = standard_sides()
    picture = text.to_text(text.view(side_blocks(sides)), colour=False)
    titles = [f"{board}{face} {sides.names[2 * board - 2 + (face == 'b')]}" for board in range(1, 8) for face in "fb"]
    assert all(title in picture for title in titles)
    assert max(len(line) for line in picture.splitlines()) <= 100
    body = picture.splitlines()
    top = [line.split() for line in body[1:10]]
    assert [len(letters) for letters in top] == [4 * n for n in (5, 6, 7, 8, 9, 8, 7, 6, 5)]
    for side in range(4):
        rows = [letters[len(letters) // 4 * side : len(letters) // 4 * (side + 1)] for letters in top]
        assert "".join(chain.from_iterable(rows)) == "".join(TERRAIN_LETTERS[number] for number in sides.terrain[side])


@pytest.mark.rule("p. 8 to 16, the cards")
def test_card_table__every_card__is_listed_with_its_words() -> None:
    tables = {table.kind: table for table in wk.cards()}
    for kind, count in (("ability", 26), ("scoring", 18), ("economy", 8), ("twist", 8)):
        rows = tables[kind].rows
        assert len(rows) == count
        listed = " ".join(text.to_text(text.view([tables[kind].table]), colour=False).split())
        assert listed.startswith(f"{kind} cards name ")
        assert all(row["name"] in listed and row["page"] in listed for row in rows)
    mine = next(row for row in tables["ability"].rows if row["name"] == "Mine")
    assert (mine["text"], mine["upgrade_text"]) == ("build next to a mountain", "build on a mountain")
    assert (mine["link"], mine["cost"], mine["source"], mine["upgrade_source"]) == ("or", 3, "rulebook", "reading")
    assert mine["order_source"] == "rulebook"
    roads = next(row for row in tables["twist"].rows if row["name"] == "Roads")
    assert roads["source"] == "reading" and roads["note"].startswith("the discount is in the rulebook")
    assert roads["note"].split()[-1] in text.to_text(text.view([tables["twist"].table]), colour=False)
