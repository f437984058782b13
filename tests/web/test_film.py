"""Films of games: the parts that change from picture to picture add up to every picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES, random_game
from tests.web.recorded import recorded
from winterkingdom_env.core.picture import Look, Picture
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.records import read_record, replay_steps, start_game
from winterkingdom_env.render import picture_of
from winterkingdom_env.render.svg import element
from winterkingdom_env.search.thoughts import odds_of, shipped_network
from winterkingdom_env.web.film import Camera, Changes, film_of, layout_of

every_game = pytest.mark.parametrize("name", NAMES)
EVERY = 15  # of so many pictures, one is drawn as a whole and compared
SEEDS = (0, 2, 5)  # of games; configs come round with them


def drawn(picture: Picture) -> dict[str, str]:
    """The text of every part."""
    return {part.name: "".join(map(element, part.draw())) for part in picture.parts}


def look_of(game: Any, seed: int) -> Look:
    """A look that comes round with the seed: with and without a viewer, legal actions and the score sheet."""
    legal = [game.label(action) for action in game.legal_actions()] if seed else ()
    return Look(None if seed == SEEDS[1] else 0, legal, game.score_sheet() if seed else None)


@every_game
def test_changes__add_up_to_every_picture_of_a_game(name: str) -> None:
    n_compared = n_left_out = 0
    for seed in SEEDS:
        changes, shown, layout = Changes(), dict[str, str](), None
        for step, game in enumerate(random_game(get_game(name), seed)):
            picture = picture_of(game, look_of(game, seed))
            changed = changes.since(picture)
            shown |= changed
            n_left_out += len(picture.parts) - len(changed)
            layout = layout or layout_of(picture)
            assert layout_of(picture) == layout, "all pictures of a game have the same regions and parts"
            assert len({part.name for part in picture.parts}) == len(picture.parts)
            if step % EVERY == 0 or game.is_over:
                assert shown == drawn(picture), f"seed {seed}, step {step}"
                n_compared += 1
    assert n_compared >= 2 * len(SEEDS)
    assert n_left_out or name not in ("winter_kingdom", "kingdom_builder"), "nothing was left out"


@every_game
def test_regions__hold_every_part_but_the_background(name: str) -> None:
    """A page shows the regions only, so a part without one would be missing there."""
    for seed in SEEDS:
        *_, game = random_game(get_game(name), seed)
        picture = picture_of(game)
        known = {part.name for part in layout_of(picture)[1]}
        assert {part.name for part in picture.parts} - known <= {"sheet"}
        for region in picture.regions:
            assert 0 <= region.x <= region.x + region.width <= picture.width
            assert 0 <= region.y <= region.y + region.height <= picture.height


@every_game
@pytest.mark.parametrize("viewer", [None, 1])
def test_film__every_frame_is_the_position_of_the_record(name: str, viewer: int | None, tmp_path: Path) -> None:
    record = recorded(name, tmp_path, seed=1)
    film = film_of(record, viewer)
    assert len(film.frames) == len(record.actions) + 1 and film.is_complete
    assert [seat.agent for seat in film.seats] == ["random"] * len(film.seats)
    game, shown = start_game(record), dict[str, str]()
    positions = [(None, game.clone()), *((step, now.clone()) for step, now in replay_steps(record, game))]
    for n, (frame, (step, now)) in enumerate(zip(film.frames, positions, strict=True)):
        for part, text in zip(frame.parts[::2], frame.parts[1::2], strict=True):
            shown[film.parts[part].name] = film.texts[text]
        assert (frame.seat, frame.action) == ((None, None) if step is None else (step.seat, step.action))
        assert frame.round == now.round and frame.asked == (None if now.is_over else now.seat)
        assert frame.sheet == [list(row.values()) for row in now.score_sheet()] and frame.ranks == now.ranks()
        if n % EVERY == 0 or now.is_over:
            known = {part.name for part in film.parts}
            expected = drawn(picture_of(now, Look(viewer)))
            assert shown == {part: text for part, text in expected.items() if part in known}


@pytest.mark.parametrize("name", ["winter_kingdom", "dominion", "kingdom_builder"])
def test_film__viewer__does_not_depend_on_what_is_hidden(name: str) -> None:
    """The pictures of a seat are the same for every deal of what it cannot see."""
    for seed in range(3):
        for step, game in enumerate(random_game(get_game(name), seed)):
            if step % 25 == 10 and not game.is_over:
                seat = (game.seat + 1) % game.n_players
                shown = [Changes().since(picture_of(game.determinize(seat, deal), Look(seat))) for deal in (1, 2)]
                assert shown[0] == shown[1]


@pytest.mark.parametrize("name", GAMES)
def test_film__viewer__the_odds_do_not_depend_on_what_is_hidden(name: str) -> None:
    """Whoever is to act: his hand is hidden from the viewer, and what the network makes of it, too."""
    network, n_compared = shipped_network(get_game(name)), 0
    for seed in range(3):
        for step, game in enumerate(random_game(get_game(name), seed)):
            if step % 25 != 10 or game.is_over:
                continue
            for seat in range(game.n_players):
                cameras = [Camera(seat, layout_of(picture_of(game))[1], network) for _ in range(3)]
                frames = [camera.take(game.determinize(seat, deal), None) for deal, camera in enumerate(cameras)]
                assert cameras[0].odds == cameras[1].odds == cameras[2].odds
                assert [frame.parts for frame in frames[1:]] == [frames[0].parts] * 2
                assert len(cameras[0].odds) == 1
                n_compared += 1
    assert n_compared > 10


@every_game
@pytest.mark.parametrize("viewer", [None, 1])
def test_film__odds__are_those_of_every_position(name: str, viewer: int | None, tmp_path: Path) -> None:
    record = recorded(name, tmp_path, seed=1)
    film, network = film_of(record, viewer), shipped_network(get_game(name))
    assert film_of(record, viewer, has_odds=False).odds is None
    if film.odds is None:
        assert name not in GAMES
        return
    assert len(film.odds) == len(film.frames)
    game = start_game(record)
    for odds, (now, _) in zip(film.odds[1:], ((game, step) for step, game in replay_steps(record, game)), strict=True):
        expected = odds_of(now, now.seat if viewer is None else viewer, network)
        assert odds == pytest.approx(expected, abs=6e-4) and sum(odds) == pytest.approx(1, abs=5e-3)
        assert all(len(str(share)) <= len("0.123") for share in odds)
    ranks = game.ranks()
    assert film.odds[-1] == pytest.approx([(rank == 1) / ranks.count(1) for rank in ranks], abs=6e-4)


def test_film__cut_off_record__ends_where_it_is_cut(tmp_path: Path) -> None:
    record = recorded("dominion", tmp_path)
    lines = record.path.read_bytes().splitlines(keepends=True)
    record.path.write_bytes(b"".join(lines[:20]))
    film = film_of(read_record(record.path))
    assert len(film.frames) == 20 and not film.is_complete and film.frames[-1].asked is not None


def test_film__seat_that_does_not_exist__is_refused(tmp_path: Path) -> None:
    record = recorded("dominion", tmp_path)
    with pytest.raises(ValueError, match=r"viewer=7: this game has the seats 0 to 1; None shows everything"):
        film_of(record, 7)
