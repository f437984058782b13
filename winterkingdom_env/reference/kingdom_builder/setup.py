"""A new game from its options: the draws of section 1.3, in its order. Values that are given use no random number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from winterkingdom_env.reference.kingdom_builder.boards import (
    Surface,
    castles_of,
    cave_hexes,
    check_layout,
    lay_out,
)
from winterkingdom_env.reference.kingdom_builder.names import (
    BASE,
    BASIC,
    CAPITOL_QUADRANTS,
    FIRST_GAME_QUADRANTS,
    FIRST_GAME_SCORING,
    ISLANDS,
    N_EACH,
    NOMAD_TILES,
    QUADRANTS,
    SCORING,
    SETS,
    SWAMP_CARDS,
    TASKS,
    UNITS,
    terrains_of,
)
from winterkingdom_env.reference.kingdom_builder.options import Options, read_options
from winterkingdom_env.reference.kingdom_builder.rng import RandomStream
from winterkingdom_env.reference.kingdom_builder.state import Board, Seat, State
from winterkingdom_env.reference.kingdom_builder.turn import begin_turn

N_PLACES = 4
N_SCORING = 3
TILES_PER_HEX = 2


def new_state(setup: Mapping[str, Any]) -> State:
    """Set up a game; seat 0 is asked for its first action. Raises ValueError if an option makes no sense."""
    options = read_options(setup)
    random = RandomStream.from_seed(options.seed)
    quadrants = _quadrants(options, random)
    scoring = _scoring(options, random)
    tasks = _tasks(options, quadrants, random)
    nomad_tiles = _nomad_tiles(options, quadrants, random)
    main, _ = lay_out(quadrants, options.layouts, None, {})
    capitols = _capitols(options, quadrants, main, random)
    caves = _caves(options, main, random)
    surface, locations = lay_out(quadrants, options.layouts, _island(options, random), options.islands)
    seats = [_seat(options) for _ in range(options.num_players)]
    deck, out, removed = _deck(options, "Scouts" in scoring, random)
    for seat in seats:
        seat.hand.append(deck.pop())
    board = Board(
        num_players=options.num_players,
        sets=list(options.sets),
        quadrants=quadrants,
        **vars(surface),
        locations=locations,
        scoring=scoring,
        tasks=tasks,
        removed_terrain=removed,
        caves=caves,
        capitols=capitols,
        round_limit=options.round_limit,
        gold=dict(options.gold),
    )
    state = State(
        board=board,
        random=random,
        seats=seats,
        tiles=dict.fromkeys(sorted(locations), TILES_PER_HEX),
        nomads=dict(zip(sorted(surface.hexes_of["nomad"]), nomad_tiles, strict=False)),
        deck=deck,
        out=out,
    )
    begin_turn(state, 0)
    return state


def _chosen_sets(options: Options) -> list[str]:
    return [name for name in SETS if name == BASE or name in options.sets]


def _quadrants(options: Options, random: RandomStream) -> list[tuple[str, int]]:
    given = options.quadrants
    if options.first_game:
        given = [(name, 0) for name in FIRST_GAME_QUADRANTS]
    if given is None:
        pool = [name for chosen in _chosen_sets(options) for name in QUADRANTS[chosen]]
        missing = [name for name in pool if name not in options.layouts]
        if missing:
            raise ValueError(
                f"quadrants cannot be drawn: no layout of {', '.join(missing)}. Give them in `layouts`, or name four "
                "quadrants in `quadrants`, or leave the set out of `sets`."
            )
        names = random.pick(pool, N_PLACES)
        given = [(name, random.draw(2)) for name in names]
    for name, _ in given:
        if name not in options.layouts:
            raise ValueError(f"quadrants: no layout of {name!r} in `layouts`.")
        check_layout(name, options.layouts[name], is_island=False)
    return list(given)


def _scoring(options: Options, random: RandomStream) -> list[str]:
    if options.first_game:
        return list(FIRST_GAME_SCORING)
    if options.scoring is not None:
        return list(options.scoring)
    cards = [card for chosen in _chosen_sets(options) for card in SCORING[chosen] if card not in options.exclude]
    if len(cards) < N_SCORING:
        raise ValueError(f"exclude leaves {len(cards)} scoring cards, {N_SCORING} are needed.")
    return random.pick(cards, N_SCORING)


def _tasks(options: Options, quadrants: Sequence[tuple[str, int]], random: RandomStream) -> list[str]:
    if options.tasks is not None:
        return list(options.tasks)
    n = sum(options.layouts[name]["set"] == "crossroads" for name, _ in quadrants)
    return random.pick(list(TASKS), n)


def _nomad_tiles(options: Options, quadrants: Sequence[tuple[str, int]], random: RandomStream) -> list[str]:
    """One tile for each nomad hex, ascending; without a nomad hex no random number is used."""
    n = sum(row.count("N") for name, _ in quadrants for row in options.layouts[name]["rows"])
    return random.pick(list(NOMAD_TILES), n)


def _capitols(
    options: Options, quadrants: Sequence[tuple[str, int]], surface: Surface, random: RandomStream
) -> list[int]:
    if not options.capitol:
        return []
    found = []
    for quarter, (name, _) in enumerate(quadrants):
        if name in CAPITOL_QUADRANTS:
            found.append(castles_of(surface, quarter)[random.draw(2)])
    return found


def _caves(options: Options, surface: Surface, random: RandomStream) -> list[int]:
    found = []
    for quarter in range(N_PLACES if options.caves else 0):
        mountains = cave_hexes(surface, quarter)
        if mountains:
            found.append(mountains[random.draw(len(mountains))])
    return found


def _island(options: Options, random: RandomStream) -> str | None:
    name = ISLANDS[random.draw(2)] if options.island == "random" else options.island
    if name is not None:
        if name not in options.islands:
            raise ValueError(f"island: no layout of {name!r} in `islands`.")
        check_layout(name, options.islands[name], is_island=True)
    return name


def _seat(options: Options) -> Seat:
    seat = Seat()
    if "crossroads" in options.sets:
        seat.units = dict(UNITS)
    return seat


def _deck(options: Options, has_scouts_card: bool, random: RandomStream) -> tuple[list[str], list[str], str | None]:
    """The deck, the cards out of the game, and the terrain that the scoring card Scouts removes (p. 19)."""
    deck = [card for card in BASIC for _ in range(N_EACH)]
    if options.has_swamp_cards:
        deck += SWAMP_CARDS
    random.shuffle(deck)
    if not has_scouts_card:
        return deck, [], None
    removed = terrains_of(deck[-1])[-1]
    out = [card for card in deck if removed in terrains_of(card)]
    deck = [card for card in deck if removed not in terrains_of(card)]
    random.shuffle(deck)
    return deck, out, removed
