"""Text, screens and card tables of Kingdom Builder; what is hidden from a viewer is in none of them."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kingdom_builder.kernel_table import KernelTable
from tests.kingdom_builder.pictures import (
    LETTER,
    STEPS,
    cells_of,
    drawn,
    every_case,
    legal_of,
    marks_of,
    new_table,
    play_on,
    played,
    sheet_of,
    with_every_piece,
    written,
)
from winterkingdom_env.core.drawing import hex_targets, legal_summary, on_place
from winterkingdom_env.core.picture import HexMap, Look, Span
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.kingdom_builder import picture_facts, plain, tables
from winterkingdom_env.games.kingdom_builder.cards import cards
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.picture_text import board_sheet
from winterkingdom_env.games.kingdom_builder.screen import screen
from winterkingdom_env.render import text
from winterkingdom_env.render.screen import LEAST_HEIGHT, LEAST_WIDTH, Shown, compose
from winterkingdom_env.render.text import hex_rows

# --- hidden information -----------------------------------------------------------------------------------------------


def forms(snapshot: dict[str, Any], viewer: int | None) -> tuple[Any, ...]:
    """The picture as SVG and as text, and the screen."""
    return drawn(snapshot, viewer=viewer), written(snapshot, viewer=viewer), screen(snapshot, Look(viewer))


def other_card(card: str) -> str:
    names = tables.CARD_NAMES
    return names[(names.index(card) + 1) % len(names)]


def is_open(table: KernelTable, seat: int, viewer: int) -> bool:
    """The kernel's rule about hands."""
    return seat == viewer or (seat == table.game["turn_seat"] and table.game["phase"] < Phase.SILO)


@pytest.mark.rule("section 1.4, hidden cards")
@every_case
@pytest.mark.parametrize("phases", [(), ("react",), ("silo", "over")])
def test_hidden__other_cards_and_deck__do_not_change_what_a_viewer_sees(case: str, phases: tuple[str, ...]) -> None:
    table = played(case, 60, phases)
    snapshot, n_changed = table.snapshot(), 0
    for viewer in range(len(snapshot["seats"])):
        other = copy.deepcopy(snapshot)
        other["deck"] = [other_card(card) for card in reversed(other["deck"])]
        other["rng"] += 1
        for seat, player in enumerate(other["seats"]):
            if not is_open(table, seat, viewer):
                player["hand"] = [other_card(card) for card in player["hand"]]
                n_changed += len(player["hand"])
        assert forms(other, viewer) == forms(snapshot, viewer)
    assert n_changed


@pytest.mark.rule("section 1.4, open cards")
def test_open__own_cards_and_those_of_the_turn__are_seen() -> None:
    table = played("nomads", 46)
    snapshot, turn = table.snapshot(), int(table.game["turn_seat"])
    for viewer in range(3):
        for seat in range(3):
            other = copy.deepcopy(snapshot)
            other["seats"][seat]["hand"] = [other_card(card) for card in other["seats"][seat]["hand"]]
            differs = [a != b for a, b in zip(forms(other, viewer), forms(snapshot, viewer), strict=True)]
            assert differs == [seat in (viewer, turn)] * 3
        hands = marks_of(drawn(snapshot, viewer=viewer), "card")
        assert [words[1] == "hidden" for words in hands] == [seat not in (viewer, turn) for seat in range(3)]
    assert all(words[1] != "hidden" for words in marks_of(drawn(snapshot), "card"))
    views = [None, 0, 1, 2]
    assert len({drawn(snapshot, viewer=viewer) for viewer in views}) == len(views)


# --- text and screen --------------------------------------------------------------------------------------------------


@pytest.mark.rule("section 2.1, coordinates")
@every_case
def test_text__every_hex__shows_terrain_and_piece_at_its_place(case: str) -> None:
    snapshot = played(case, 120).snapshot()
    cells, blocked = cells_of(written(snapshot)), picture_facts.blocked(snapshot)
    pieces = picture_facts.pieces_on(snapshot)
    up = picture_facts.lifted(snapshot)
    assert len(cells) == 400
    for name, cell in cells.items():
        terrain = picture_facts.terrains(snapshot)[name] if name not in snapshot["caves"] else "cave"
        if name in pieces and pieces[name].kind == "settlement":
            assert cell == "abcde"[pieces[name].seat] + LETTER.get(terrain, "v")
        elif (
            name not in (*pieces, *snapshot["walls"], *snapshot["scouts"], *snapshot["locations"])
            and terrain != "nomad"
        ):
            first = "^" if up and up.left == name else "x" if name in blocked else " "
            assert cell == first + ("K" if name in snapshot["capitols"] else LETTER.get(terrain, "v"))


@pytest.mark.rule("docs/records.md, rendering: text of units")
def test_text__units_walls_and_scouts__have_their_marks() -> None:
    snapshot = with_every_piece()
    cells, seats = cells_of(written(snapshot)), snapshot["seats"]
    assert cells[seats[0]["hall"]] == "A#" and cells[seats[0]["wagon"]] == "A%"
    assert cells[seats[0]["warriors"][0]] == "A+" and cells[seats[1]["ship"]] == "B~"
    assert {cells[name][0] for name in snapshot["walls"]} == {"="}
    assert {cells[name][0] for name in snapshot["scouts"]} == {"?"}


@pytest.mark.rule("docs/records.md, rendering: the island")
def test_text__island__has_its_own_map() -> None:
    snapshot = played("everything", 45).snapshot()
    lines = written(snapshot).splitlines()
    start = lines.index("island") + 1
    assert [line[:2] for line in lines[start : start + 5]] == ["i0", "i1", "i2", "i3", "i4"]
    assert "\nisland\n" not in written(played("base", 45).snapshot())


def test_hex_rows__offset__odd_rows_stand_half_a_hex_to_the_right() -> None:
    board = screen(played("base", 0).snapshot(), Look()).board
    assert isinstance(board, HexMap) and board.is_offset
    assert [row.indent for row in hex_rows(board.cells, is_offset=True)] == [0, 1] * 10
    assert [row.indent for row in hex_rows(board.cells)] == list(range(20))


def test_labels__hexes_of_the_island__are_summed_up_but_are_no_places_of_the_board() -> None:
    legal = ["house i0c03", "house i1c02", "lift r01c02", "use farm", "done"]
    assert legal_summary(legal) == "house on 2 hexes, lift on 1 hex, use farm, done"
    assert on_place(legal[0]) is None and on_place(legal[2]) == ("lift", 1, 2)


@pytest.mark.rule("docs/playing.md, the screen")
@every_case
@pytest.mark.parametrize("n_actions", STEPS)
def test_screen__fits_a_small_terminal_and_explains_every_action(case: str, n_actions: int) -> None:
    table = played(case, n_actions)
    legal, sheet, viewer = legal_of(table), sheet_of(table), int(table.game["seat"])
    shown = screen(table.snapshot(), Look(viewer, legal, sheet))
    points = [(name, [str(row[name]) for row in sheet]) for name in sheet[0]]
    listed = [label for label in legal if on_place(label) is None]
    said = Shown("title", legal, listed, points=points)
    composed = compose(shown, said, LEAST_WIDTH, LEAST_HEIGHT)
    assert len(composed.lines) < LEAST_HEIGHT and max(line.cell_len for line in composed.lines) <= LEAST_WIDTH
    legend = "".join(span.text for span in shown.legend if isinstance(span, Span))
    assert len(legend) <= LEAST_WIDTH and shown.asked and "None" not in shown.asked
    on_hexes = {f"{verb} {name}" for verb, names in hex_targets(legal).items() for name in names}
    assert all(shown.notes[label] for label in legal if label not in on_hexes)


@pytest.mark.rule("docs/playing.md, the screen: what is asked")
def test_asked__every_phase__has_words() -> None:
    assert set(picture_facts.ASKED) == set(plain.PHASE_NAMES)
    table, stream = new_table("everything"), Stream(5)
    while table.game["phase"] != Phase.OVER:
        words = picture_facts.asked(table.snapshot())
        assert words and "None" not in words and "  " not in words and "of ," not in words
        play_on(table, stream)
    assert "over" in picture_facts.asked(table.snapshot())


@pytest.mark.rule("docs/playing.md, the screen: notes")
def test_notes__hexes_that_give_a_tile__are_told_apart() -> None:
    table = new_table("nomads")
    snapshot, legal = table.snapshot(), legal_of(table)
    notes = screen(snapshot, Look(0, legal)).notes
    sources = {name: kind for key in ("locations", "nomads") for name, kind in snapshot[key].items()}
    for label in legal:
        around = picture_facts.neighbours(label.split()[-1]) if label.startswith("house ") else []
        kinds = [sources[name] for name in around if name in sources]
        assert notes.get(label, "") == (f"takes {' and '.join(kinds)}" if kinds else "")


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("docs/records.md, boards")
def test_board_sheet__standard_generated_and_files__show_every_known_quadrant(tmp_path: Path) -> None:
    standard = board_sheet("standard", 0)
    names = [entry["name"] for entry in standard.content["quadrants"]]
    assert len(names) >= 16 and "in order" in standard.summary
    shown = text.to_text(text.view(standard.blocks), colour=False)
    assert all(re.search(rf"\b{name} [L1] ", shown) for name in names)
    assert max(map(len, shown.splitlines())) <= text.WIDTH
    rows = [entry for entry in standard.content["quadrants"] if entry["name"] in ("farm", "quarry")]
    file = tmp_path / "some.txt"
    file.write_text("\n".join(f"[{entry['name']}]\n" + "\n".join(entry["rows"]) for entry in rows))
    found = board_sheet(str(file), 0).content["quadrants"]
    assert found == rows
    made = board_sheet("generated:5", 0).content
    assert made["seed"] == 5 and made["quadrants"] == board_sheet("generated", 5).content["quadrants"]
    own = board_sheet("own", 0).content
    assert own["seed"] is None and len(own["quadrants"]) == len(tables.QUADRANTS) + len(tables.ISLANDS)
    with pytest.raises(ValueError, match="missing"):
        board_sheet(str(tmp_path / "missing.txt"), 0)


@pytest.mark.rule("docs/house_rules.md, cards")
def test_cards__every_row_is_there_and_changes_are_marked() -> None:
    found = {table.kind: table for table in cards()}
    assert [row["name"] for row in found["tile"].rows] == list(tables.TILE_NAMES)
    assert [row["name"] for row in found["scoring"].rows] == list(tables.SCORING_NAMES)
    assert [row["name"] for row in found["task"].rows] == list(tables.TASK_NAMES)
    assert [row["name"] for row in found["quadrant"].rows] == [*tables.QUADRANT_NAMES, *tables.ISLAND_NAMES]
    for table in found.values():
        shown = text.to_text(text.view([table.table]), colour=False)
        assert max(map(len, shown.splitlines())) <= text.WIDTH
        assert all(row["name"] in shown and row["kind"] == table.kind and not row["house_rules"] for row in table.rows)
    changed = [row for table in cards("[task.Road]\ngold = 3\n") for row in table.rows if row["house_rules"]]
    assert [(row["name"], row["gold"], row["house_rules"]) for row in changed] == [("Road", 3, "gold 3")]
    with pytest.raises(ConfigError, match="random:5"):
        cards("random")
