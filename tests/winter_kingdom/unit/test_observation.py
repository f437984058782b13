"""What a seat sees, against an oracle that knows the snapshot, the labels of what is legal and the card tables only."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.winter_kingdom.observation_oracle import PHASES, Follower, expected_fields, expected_planes, is_asked
from tests.winter_kingdom.property.test_invariants import ECONOMIES, PLAYERS, TWISTS, begin, choose
from winterkingdom_env.core._jit import SETTINGS
from winterkingdom_env.core.batch import observe_all
from winterkingdom_env.core.observation import Field, Kind, News, Plane, Spec, unpack_plane, unpack_vector
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.layout import ROWS

IS_COMPILED = not SETTINGS.DISABLE_JIT
SPEC = wk.OBSERVATION
COMMON = ("before", "mandatory", "after", "build", "lift", "move")  # phases of every other turn
ONLY_WITH: dict[str | None, tuple[str, ...]] = {"Boom": ("boom",), "Innovation": ("innovate",), "Wolves": ("wolves",)}
LABELS = np.array([[f"r{row:02d}c{col:02d}" for col in range(ROWS)] for row in range(ROWS)], object)
no_torch = "torch comes with the extra winterkingdom_env[train]"


# Against the oracle --------------------------------------------------------------------------------------------------


def shown_planes(planes: np.ndarray) -> dict[str, set[str]]:
    """Labels of the hexes in every plane of an observation."""
    return {plane.name: set(LABELS[cells != 0]) for plane, cells in zip(SPEC.planes, planes, strict=True)}


def check_seat(watched: Follower, table: dict[str, Any], seat: int) -> None:
    """Everything that a seat is shown is what the oracle expects, and nothing else is shown."""
    game = watched.game
    seen = game.observe(seat, "planes")
    assert shown_planes(seen["observation"]) == expected_planes(watched, table, seat)
    first = 0  # the vector is the fields one after the other
    for name, entries in expected_fields(watched, table, seat).items():
        assert seen["vector"][first : first + len(entries)].tolist() == entries, f"{name}, seat {seat} of {game}"
        first += len(entries)
    assert first == len(seen["vector"])
    legal = game.legal_actions() if is_asked(table, seat) else []
    assert np.flatnonzero(seen["action_mask"]).tolist() == legal


def games_with(twist: str | None) -> Iterator[tuple[Follower, random.Random]]:
    """New games of all sizes and economies; just one when nothing is compiled."""
    kinds = list(product(PLAYERS, ECONOMIES))
    place = 7 * TWISTS.index(twist)
    for i, (players, economy) in enumerate(kinds if IS_COMPILED else [kinds[place % len(kinds)]]):
        game, dice = begin(players, economy, twist, seed=100 * place + i)
        yield Follower(game), dice


@pytest.mark.rule("docs/observation.md, planes")
@pytest.mark.parametrize("twist", TWISTS)
def test_observe__random_games__every_plane_and_field_is_what_the_table_shows(twist: str | None) -> None:
    met = set()
    for watched, dice in games_with(twist):
        game = watched.game
        while True:
            if game.is_over or dice.random() < (0.02 if game.phase in COMMON else 0.15):
                met.add(game.phase)
                table = game.snapshot()
                for seat in range(game.n_players):
                    check_seat(watched, table, seat)
            if game.is_over:
                break
            watched.apply(choose(game, dice))
    if IS_COMPILED:
        assert met == {*COMMON, "follow", "triple", "over", *ONLY_WITH.get(twist, ())}


@pytest.mark.rule("docs/observation.md, planes")
def test_entries__every_field__stands_where_the_oracle_has_it() -> None:
    game = wk.new_game(seed=1)
    first = 0
    for name, entries in expected_fields(Follower(game), game.snapshot(), 0).items():
        assert SPEC.entries(name) == slice(first, first + len(entries))
        first += len(entries)
    assert first == SPEC.n_entries


@pytest.mark.rule("docs/observation.md, planes")
def test_oracle__random_games__follows_what_the_record_remembers() -> None:
    remembered = {"came_to": 0, "left": 0, "back": 0}
    for watched, dice in games_with("Longer Tunnels"):
        record = watched.game.record[0]
        while not watched.game.is_over:
            watched.apply(choose(watched.game, dice))
            for name, known in (("came_to", watched.came_to), ("left", watched.left)):
                found = record[name]
                assert known == (None if found < 0 else watched.game.label(int(found)).split()[1])
            assert watched.back == (None if record["back"] < 0 else PHASES[record["back"]])
            for name in remembered:
                remembered[name] += record[name] >= 0
    assert not IS_COMPILED or min(remembered.values()) > 20


# Two forms, one content ----------------------------------------------------------------------------------------------


@cache
def middle_games() -> tuple[wk.Game, ...]:
    """Six positions from the middle of games, of two to four players."""
    found = []
    for i in range(6):
        game, dice = begin(2 + i % 3, ECONOMIES[i], TWISTS[i + 1], seed=i)
        for _ in range(40 + 15 * i):
            game.apply(choose(game, dice))
        assert not game.is_over
        found.append(game)
    return tuple(found)


@cache
def forms() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packed observations, planes and vectors of the six positions: two rows of three, every one by the seat to move."""
    packed = np.stack([game.observe(form="packed")["observation"] for game in middle_games()])
    seen = [game.observe(form="planes") for game in middle_games()]
    planes, vectors = (np.stack([one[key] for one in seen]) for key in ("observation", "vector"))
    assert len(np.unique(packed, axis=0)) == 6
    return packed.reshape(2, 3, -1), planes.reshape(2, 3, *SPEC.planes_shape), vectors.reshape(2, 3, -1)


@pytest.mark.rule("docs/observation.md, forms")
def test_observe__both_forms__have_the_promised_shapes() -> None:
    game = middle_games()[0]
    planes, packed = game.observe(form="planes"), game.observe(form="packed")
    shapes = {key: (value.dtype.name, value.shape) for key, value in planes.items()}
    mask = ("int8", (1409,))
    assert shapes == {"observation": ("uint8", (36, 27, 27)), "vector": ("float32", (537,)), "action_mask": mask}
    shapes = {key: (value.dtype.name, value.shape) for key, value in packed.items()}
    assert shapes == {"observation": ("uint32", (1101,)), "action_mask": mask}
    assert np.array_equal(planes["action_mask"], packed["action_mask"])


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize("axes", [(), (6,), (2, 3), (3, 1, 2), (0,)], ids=str)
def test_unpack__any_leading_axes__equals_the_planes(axes: tuple[int, ...]) -> None:
    packed, planes, vectors = (part.reshape(6, *part.shape[2:]) for part in forms())
    n = int(np.prod(axes))
    seen = SPEC.unpack(packed[:n].reshape(*axes, -1) if n else packed[:0])
    assert seen["observation"].dtype == np.uint8 and seen["vector"].dtype == np.float32
    assert np.array_equal(seen["observation"], planes[:n].reshape(*axes, *SPEC.planes_shape))
    assert np.array_equal(seen["vector"], vectors[:n].reshape(*axes, SPEC.n_entries))


@pytest.mark.rule("docs/observation.md, forms")
def test_unpack__every_seat_of_every_position__equals_the_planes() -> None:
    for game in middle_games():
        for seat in range(game.n_players):
            seen, unpacked = game.observe(seat), SPEC.unpack(game.observe(seat, "packed")["observation"])
            assert np.array_equal(seen["observation"], unpacked["observation"])
            assert np.array_equal(seen["vector"], unpacked["vector"])


@pytest.mark.rule("docs/observation.md, forms")
def test_unpack__every_other_row_and_signed_words__is_the_same() -> None:
    packed, planes, vectors = forms()
    words: tuple[Any, ...] = (packed[:, ::2], packed.view(np.int32)[:, ::2], packed[:, ::2].astype(np.int64))
    for strange in words:
        seen = SPEC.unpack(strange)
        assert np.array_equal(seen["observation"], planes[:, ::2])
        assert np.array_equal(seen["vector"], vectors[:, ::2])


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize("words", ["uint32", "int32", "int64"])
@pytest.mark.parametrize("dtype", [None, "float32", "float16", "float64"])
def test_unpack_torch__any_word_and_number_type__equals_the_planes(words: str, dtype: str | None) -> None:
    torch = pytest.importorskip("torch", reason=no_torch)
    packed, planes, vectors = forms()
    wide = torch.from_numpy(packed.astype(np.int64))
    given = wide if words == "int64" else torch.from_numpy(packed.view(words).copy())
    wanted = getattr(torch, dtype or "float32")
    seen = SPEC.unpack_torch(given, getattr(torch, dtype)) if dtype else SPEC.unpack_torch(given)
    assert seen["observation"].dtype == seen["vector"].dtype == wanted
    assert torch.equal(seen["observation"], torch.from_numpy(planes).to(wanted))
    assert torch.equal(seen["vector"], torch.from_numpy(vectors).to(wanted))
    one = SPEC.unpack_torch(given[1, 2])
    assert torch.equal(one["observation"], torch.from_numpy(planes[1, 2]).to(torch.float32))
    assert torch.equal(one["vector"], torch.from_numpy(vectors[1, 2]))


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize(
    ("shape", "dtype"), [((1100,), "uint32"), ((1101, 1), "uint32"), ((), "uint32"), ((2, 1101), "float32")], ids=str
)
def test_unpack__wrong_shape_or_type__says_what_would_fit(shape: tuple[int, ...], dtype: str) -> None:
    message = rf"last axis has 1101 entries; found {dtype} of shape \({', '.join(map(str, shape))},?\)"
    with pytest.raises(ValueError, match=message):
        SPEC.unpack(np.zeros(shape, dtype))
    torch = pytest.importorskip("torch", reason=no_torch)
    with pytest.raises(ValueError, match=message):
        SPEC.unpack_torch(torch.zeros(shape, dtype=getattr(torch, dtype)))


@pytest.mark.rule("docs/observation.md, planes")
def test_observe__any_position__lies_within_its_space() -> None:
    highest = np.zeros(SPEC.n_entries, np.float32)
    assert SPEC.most.shape == (SPEC.n_entries,)
    for game in (*middle_games(), wk.new_game(seed=1), wk.new_game(wk.Config(num_players=4), seed=2)):
        for seat in range(game.n_players):
            seen = game.observe(seat)
            assert set(np.unique(seen["observation"])) <= {0, 1}
            assert (seen["vector"] >= 0).all() and (seen["vector"] <= SPEC.most).all()
            highest = np.maximum(highest, seen["vector"])
    for name in ("houses_left", "forts_left", "n_hand", "seat", "mover", "phase"):
        assert (highest[SPEC.entries(name)] == SPEC.most[SPEC.entries(name)]).any(), name


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize("form", ["planes", "packed"])
def test_observe__arrays_are_changed__changes_nothing(form: str) -> None:
    game = middle_games()[3].clone()
    before, saved, legal = game.observe(form=form), game.to_bytes(), game.legal_actions()
    for array in game.observe(form=form).values():
        array[...] = 1 - array
    after = game.observe(form=form)
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert not any(np.shares_memory(before[key], after[key]) for key in before)
    assert (game.to_bytes(), game.legal_actions()) == (saved, legal)


@pytest.mark.rule("docs/observation.md, forms")
def test_observe__nobody_named__is_the_seat_to_move() -> None:
    for game in middle_games():
        seen, asked = game.observe(), game.observe(game.seat)
        assert all(np.array_equal(seen[key], asked[key]) for key in asked)
        assert seen["action_mask"].any()


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize("seat", [-1, 3, 4, "0"])
def test_observe__no_such_seat__is_refused(seat: Any) -> None:
    game = wk.new_game(wk.Config(num_players=3), seed=1)
    with pytest.raises(ValueError, match=rf"seat={seat!r}: this game has the seats 0 to 2"):
        game.observe(seat)


@pytest.mark.rule("docs/observation.md, forms")
@pytest.mark.parametrize("form", ["words", "", None, "PLANES"])
def test_observe__no_such_form__is_refused(form: Any) -> None:
    with pytest.raises(ValueError, match=rf"form={form!r} is not an observation form; the forms are: planes, packed"):
        wk.new_game(seed=1).observe(0, form)


@pytest.mark.rule("core/_jit.py, one signature")
@pytest.mark.skipif(not IS_COMPILED, reason="there is nothing compiled to look at")
def test_observe__seat_of_any_integer_type__compiles_nothing_new() -> None:
    game = wk.new_game(seed=1)
    seats: tuple[Any, ...] = (0, np.int64(0), np.int8(0), np.uint32(0))
    for seat in seats:
        game.observe(seat)
    assert len(observe_all.of(wk.World).signatures) == 1


# A field of more than one word ---------------------------------------------------------------------------------------

WIDE = Spec(
    (Plane("here", "a set"), Plane("there", "another")),
    (
        Field("before", "a number", Kind.NUMBER, count=2, scale=4, most=9),
        Field("many", "forty things, twice", Kind.BITS, 40, 2),
        Field("one", "one of three", Kind.CHOICE, 3),
    ),
    ROWS,
    ROWS,
)


def wide_example() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packed, planes and vector, the last two written by hand."""
    packed = np.zeros(WIDE.n_words, np.uint32)
    packed[[0, ROWS + 3, 2 * ROWS - 1]] = [1 << 5, 1, 1 << 26]
    packed[2 * ROWS :] = [9, 2, 1 << 31 | 1, 1 << 7 | 1, 1 << 30, 1 << 6, 3]
    planes = np.zeros((2, ROWS, ROWS), np.uint8)
    planes[0, 0, 5] = planes[1, 3, 0] = planes[1, 26, 26] = 1
    vector = np.zeros(85, np.float32)
    vector[:2] = [2.25, 0.5]
    vector[[2 + bit for bit in (0, 31, 32, 39, 40 + 30, 40 + 38)]] = 1
    vector[84] = 1
    return packed, planes, vector


@pytest.mark.rule("core/observation.py, Spec")
def test_spec__field_of_forty_bits__takes_two_words_each_time() -> None:
    assert (WIDE.n_words, WIDE.n_entries, WIDE.planes_shape) == (2 * ROWS + 2 + 4 + 1, 85, (2, ROWS, ROWS))
    assert [WIDE.word(field.name) - 2 * ROWS for field in WIDE.fields] == [0, 2, 6]
    assert [WIDE.entries(field.name) for field in WIDE.fields] == [slice(0, 2), slice(2, 82), slice(82, 85)]
    assert WIDE.most.tolist() == [2.25] * 2 + [1.0] * 83


@pytest.mark.rule("core/observation.py, Spec")
def test_unpack__field_of_forty_bits__finds_them_in_both_words() -> None:
    packed, planes, vector = wide_example()
    seen = WIDE.unpack(np.stack([packed, np.zeros_like(packed)]))
    assert np.array_equal(seen["observation"], [planes, np.zeros_like(planes)])
    assert np.array_equal(seen["vector"], [vector, np.zeros_like(vector)])


@pytest.mark.rule("core/observation.py, Spec")
@pytest.mark.parametrize("words", ["uint32", "int32", "int64"])
def test_unpack_torch__field_of_forty_bits__finds_them_in_both_words(words: str) -> None:
    torch = pytest.importorskip("torch", reason=no_torch)
    packed, planes, vector = wide_example()
    given = packed.astype(np.int64) if words == "int64" else packed.view(words)
    seen = WIDE.unpack_torch(torch.from_numpy(given))
    assert np.array_equal(seen["observation"].numpy(), planes)
    assert np.array_equal(seen["vector"].numpy(), vector)


@pytest.mark.rule("core/observation.py, Spec")
def test_unpack_kernels__field_of_forty_bits__overwrite_all_that_was_there() -> None:
    packed, planes, vector = wide_example()
    found_planes, found_vector = np.full_like(planes, 7), np.full_like(vector, 7)
    for plane in range(len(planes)):
        unpack_plane(packed, plane, *planes.shape[1:], found_planes)
    unpack_vector(packed, WIDE.table, np.int64(News.GAME), found_vector)
    assert np.array_equal(found_planes, planes)
    assert np.array_equal(found_vector, vector)


MIXED = Spec(
    (),
    (
        Field("now", "changes all the time, before something that lasts", Kind.CHOICE, 5),
        Field("seat", "changes with the seat", Kind.BITS, 7, news=News.SEAT),
        Field("game", "lasts for a game, before something that does not", Kind.CHOICE, 3, news=News.GAME),
        Field("count", "a number", Kind.NUMBER, scale=2, most=9),
        Field("bits", "changes all the time, before much that lasts", Kind.BITS, 40),
        Field("cards", "lasts", Kind.CHOICE, 40, 2, news=News.GAME),
        Field("price", "lasts", Kind.NUMBER, scale=2, most=9, news=News.GAME),
        Field("end", "changes with the seat, at the end", Kind.BITS, 4, news=News.SEAT),
    ),
)


@pytest.mark.rule("core/observation.py, News")
@pytest.mark.parametrize("news", News)
def test_unpack_vector__some_fields_are_not_new__writes_the_others_and_nothing_else(news: News) -> None:
    packed = np.array([4, 0b1010101, 2, 9, 0xF0F0F0F0, 0x5A, 40, 1, 7, 0b1011], np.uint32)
    whole = MIXED.unpack(packed)["vector"]
    found = np.full_like(whole, 7)
    unpack_vector(packed, MIXED.table, np.int64(news), found)
    for field in MIXED.fields:
        entries = MIXED.entries(field.name)
        expected = whole[entries] if field.news >= news else np.full(field.n_entries, 7)
        assert np.array_equal(found[entries], expected), field.name


@pytest.mark.rule("core/observation.py, Spec")
def test_unpack_plane__some_of_them__leaves_the_others_alone() -> None:
    packed = wk.new_game(seed=5).observe(form="packed")["observation"]
    planes = wk.OBSERVATION.unpack(packed)["observation"]
    found = np.full_like(planes, 7)
    for plane in (*range(29, 36), *range(8)):
        unpack_plane(packed, plane, *planes.shape[1:], found)
    assert np.array_equal(found[:8], planes[:8]) and np.array_equal(found[29:], planes[29:])
    assert (found[8:29] == 7).all()


@pytest.mark.rule("docs/observation.md, names")
def test_spec__unknown_name__says_which_there_are() -> None:
    with pytest.raises(ValueError, match=r"no field is called 'coin'; the fields are: coins, "):
        wk.OBSERVATION.entries("coin")
    with pytest.raises(ValueError, match=r"no plane is called 'house'; the planes are: houses_0, "):
        wk.OBSERVATION.plane("house")
