"""The specification of the observation: its planes and its numbers, in order."""

from __future__ import annotations

from winterkingdom_env.core.observation import Field, Kind, News, Plane, Spec
from winterkingdom_env.games.kingdom_builder import house, tables
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Phase, SiloMode, Task, Unit
from winterkingdom_env.games.kingdom_builder.layout import (
    CARD_COPIES,
    COLUMNS,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_CARDS,
    MOST_FRAMES,
    MOST_HAND,
    MOST_ROUNDS,
    MOST_SITES,
    MOST_TASKS,
    N_BASIC,
    N_CARDS,
    N_PLACES,
    N_SCORING,
    N_SHEET,
    N_TILES,
    N_USES,
    ROWS,
    SCORING_IN_PLAY,
    SETTLEMENTS,
    TOKENS,
    WALLS,
    WARRIORS,
)

SCORE_SCALE: float = 30  # divides gold in rewards; random play of two ends with 20 to 60 gold per seat
MOST_GOLD = 2000  # of one column, under any house rules
MOST_CHANGE = house.MOST_GOLD
N_UNIT_SUPPLIES = 4
TILE_BITS = 6  # of 1 + the kind of tile on a hex
N_TERRAIN_CHOICES = N_BASIC + 1  # terrains on cards

SEATS = ("own", "next seat's", "second next seat's", "third next seat's", "fourth next seat's")
PLACES = ("top left", "top right", "bottom left", "bottom right")


def _planes() -> tuple[Plane, ...]:
    land = News.GAME
    return (
        *(Plane(f"pieces_{i}", f"{whose} pieces") for i, whose in enumerate(SEATS)),
        Plane("warriors", "warriors of all seats"),
        Plane("wagons", "wagons of all seats"),
        Plane("ships", "ships of all seats"),
        Plane("halls", "hexes of city halls of all seats"),
        Plane("walls", "stone walls"),
        Plane("scouts", "scouts"),
        Plane("blocked", "hexes that touch a warrior"),
        Plane("tiles", "hexes with a tile left"),
        Plane("two_tiles", "hexes with two tiles left"),
        Plane("takeable", "hexes with a tile left from which the observer never took one"),
        Plane("legal_put", "hexes on which the observer may put something now"),
        Plane("legal_take", "hexes from which the observer may take something now"),
        Plane("placed", "mandatory pieces of this turn from the supply"),
        Plane("lifted", "the hex that the lifted piece left"),
        Plane("moving", "the unit that takes steps"),
        *(Plane(name, f"hexes of {name}", land) for name in tables.TERRAIN_NAMES),
        *(
            Plane(
                f"tile_kind_{1 << bit}", f"location and nomad hexes: the digit {1 << bit} of 1 + the kind of tile", land
            )
            for bit in range(TILE_BITS)
        ),
        Plane("caves", "mountains with a cave", land),
        Plane("capitols", "castles with a capitol", land),
        *(Plane(f"quadrant_{i}", f"the quadrant {place}", land) for i, place in enumerate(PLACES)),
    )


def _change(name: str, text: str, count: int = 1) -> Field:
    return Field(name, text, Kind.NUMBER, count=count, scale=2, least=-MOST_CHANGE, most=MOST_CHANGE, news=News.GAME)


def _cards(name: str, text: str) -> Field:
    return Field(name, text, Kind.NUMBER, count=N_CARDS, scale=CARD_COPIES, most=CARD_COPIES)


def _seat_fields() -> tuple[Field, ...]:
    bits, number, seats = Kind.BITS, Kind.NUMBER, MAX_PLAYERS
    return (
        Field("supply", "settlements in the supply, per seat", number, count=seats, scale=SETTLEMENTS, most=SETTLEMENTS),
        Field("units", "warriors, wagon, ship and city hall in the supply, per seat", number, count=seats * N_UNIT_SUPPLIES, most=WARRIORS),
        Field("tokens", "cathedral tokens, per seat", number, count=seats, scale=5, most=TOKENS),
        Field("held_pieces", "settlements lifted by the temple in this turn, per seat", number, count=seats, scale=5, most=SETTLEMENTS),
        Field("due", "settlements that the temple gives back, per seat", number, count=seats, scale=5, most=SETTLEMENTS),
        Field("n_hand", "terrain cards in hand, per seat", number, count=seats, most=MOST_HAND),
        Field("bonus_used", "bonuses used in this turn, per seat: refuge, canoe, farmland, cave", bits, len(Bonus), seats),
        Field("rovers", "quadrants for which Rovers has paid in this turn, per seat", bits, N_PLACES, seats),
        Field("lines", "lines with a marker of Mayors, per seat", bits, ROWS, seats),
        Field("took", "location and nomad hexes, in hex order, from which a seat ever took a tile, per seat", bits, MOST_SITES, seats),
        Field("held", "kinds of tile in front of a seat, per seat", bits, N_TILES, seats),
        Field("ready", "kinds of tile that a seat may use, per seat", bits, N_TILES, seats),
        Field("held_twice", "kinds of which the observer has two tiles", bits, N_TILES),
        Field("ready_twice", "kinds of which the observer may use two tiles", bits, N_TILES),
        Field(
            "sheet", "gold if the game ended now, per seat: scoring cards, tasks, castles, palaces, capitols, treasures",
            number, count=seats * N_SHEET, scale=10, least=0, most=MOST_GOLD,
        ),
    )  # fmt: skip


def _turn_fields() -> tuple[Field, ...]:
    bits, choice, number = Kind.BITS, Kind.CHOICE, Kind.NUMBER
    return (
        Field("seat", "own position in the order of the round", choice, MAX_PLAYERS),
        Field("mover", "the seat to move: the observer, the next seat, ...; none after the end", choice, MAX_PLAYERS),
        Field("turn_seat", "the seat whose turn it is: the observer, the next seat, ...", choice, MAX_PLAYERS),
        Field("phase", "phase (turn_kingdom_builder.md)", choice, len(Phase)),
        Field("resumed", "the phase that goes on after reactions", choice, len(Phase)),
        Field("back", "phase to which the use in progress returns", choice, len(Phase)),
        Field("use", "special action in progress", choice, N_USES),
        Field("repeats", "whether the bazaar carries it out", bits),
        Field("count", "pieces or steps of the use in progress", number, scale=3, most=SETTLEMENTS),
        Field("lifted_unit", "kind of the lifted piece", choice, len(Unit)),
        Field("outpost", "whether an outpost is active", bits),
        Field("drawn", "card that the fort drew", choice, N_CARDS),
        Field("silos", "silo actions left", number, most=N_PLACES),
        Field("silo_mode", "what the silo action in progress does: build, move", choice, len(SiloMode) - 1),
        Field("n_placed", "mandatory pieces of this turn from the supply", number, scale=MANDATORY_PIECES, most=MANDATORY_PIECES),
        Field("n_pieces", "mandatory pieces that the turn asks for", number, scale=MANDATORY_PIECES, most=MANDATORY_PIECES),
        Field("terrain", "terrain that binds the turn", choice, N_TERRAIN_CHOICES),
        Field("played", "played card", choice, N_CARDS),
        Field("extra_cards", "cards more at the end of the turn, by the bazaar", number, most=MOST_HAND),
        Field("used_tiles", "kinds of location tile used in this turn", bits, N_TILES),
        Field("n_frames", "reactions in progress", number, most=MOST_FRAMES),
        Field("is_end", "whether the game ends with this round", bits),
        Field("round", "round, from 1", number, scale=20, most=MOST_ROUNDS),
        Field("rounds_left", "rounds until the limit", number, scale=100, most=MOST_ROUNDS),
        _cards("hand", "own terrain cards, per kind of card"),
        _cards("open_hand", "terrain cards of the seat whose turn it is, per kind of card"),
        _cards("discards", "discarded terrain cards, per kind of card"),
        _cards("out", "terrain cards out of the game, per kind of card"),
        Field("n_deck", "cards in the deck", number, scale=MOST_CARDS, most=MOST_CARDS),
        Field("walls_left", "walls in the supply", number, scale=WALLS, most=WALLS),
        Field("token_stock", "cathedral tokens in the stock", number, scale=TOKENS, most=TOKENS),
    )  # fmt: skip


def _table_fields() -> tuple[Field, ...]:
    choice, game = Kind.CHOICE, News.GAME
    return (
        Field("n_players", "number of players: 2, 3, 4, 5", choice, MAX_PLAYERS - 1, news=game),
        Field("scoring", "scoring cards in play, each in the place of its gold in `sheet`", choice, N_SCORING, SCORING_IN_PLAY, is_name=True, news=game),
        Field("task", "tasks in play, each in the place of its gold in `sheet`", choice, len(Task), MOST_TASKS, is_name=True, news=game),
        Field("removed", "terrain that the scoring card Scouts removed", choice, N_BASIC, news=game),
        _change("gold_changes", "gold of each scoring card in play minus the printed gold", SCORING_IN_PLAY),
        _change("task_changes", "gold of each task in play minus the printed gold", MOST_TASKS),
        _change("landmark_changes", "gold of castles and palaces minus the printed gold", len(tables.LANDMARKS)),
    )  # fmt: skip


SPEC = Spec(_planes(), (*_seat_fields(), *_turn_fields(), *_table_fields()), ROWS, COLUMNS)
