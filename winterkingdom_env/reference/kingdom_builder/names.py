"""The names of everything in the box, in the order of the rules."""

from __future__ import annotations

BASE = "base"
SETS = (BASE, "nomads", "crossroads", "marshlands", "harvest")

# Terrain (p. 0, p. 8, p. 16, p. 20): the letter in the quadrant files, and the name.
TERRAIN_OF_LETTER = {
    "g": "grass",
    "f": "flower",
    "t": "forest",
    "c": "canyon",
    "d": "desert",
    "p": "swamp",
    "a": "farmland",
    "w": "water",
    "m": "mountain",
    "S": "castle",
    "L": "location",
    "N": "nomad",
    "P": "palace",
    "O": "silo",
}
BASIC = ("grass", "flower", "forest", "canyon", "desert")  # in the order of the deck
LAND = (*BASIC, "swamp", "farmland")
SPECIAL = ("castle", "location", "nomad", "palace", "silo")
NO_HEX = "."  # in the rows of the island

# Terrain cards.
SWAMP_CARDS = tuple(f"swamp/{terrain}" for terrain in BASIC)
CARDS = (*BASIC, *SWAMP_CARDS)
N_EACH = 5  # cards of each basic terrain; of each swamp card there is one


def terrains_of(card: str) -> list[str]:
    """The terrains that a card shows."""
    return card.split("/")


# Quadrants in the order in which they are drawn, and the location kinds in the order of the tiles.
QUADRANTS = {
    BASE: ("oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock"),
    "nomads": ("quarry", "caravan", "village", "garden"),
    "crossroads": ("lighthouse", "barracks", "cityhall", "monastery"),
    "marshlands": ("temple", "refuge", "canoe", "fountain"),
    "harvest": ("bazaar", "mountainstation", "cathedral", "university"),
}
ISLANDS = ("rope bridge", "tree house")
KINDS = (
    *QUADRANTS[BASE],
    *QUADRANTS["nomads"],
    *("lighthouse", "forester", "barracks", "crossroads", "city hall", "fort", "monastery", "wagon"),
    *QUADRANTS["marshlands"],
    *("bazaar", "water mill", "mountain station", "scout cabin", "cathedral", "watchtower", "university", "palisade"),
    *ISLANDS,
)
CAPITOL_QUADRANTS = ("oracle", "harbor")
FIRST_GAME_QUADRANTS = ("tavern", "paddock", "oasis", "farm")
FIRST_GAME_SCORING = ("Fishermen", "Knights", "Merchants")

# Nomad tiles (p. 8), in the order in which they are shuffled.
DONATION = "donation "
DONATIONS = tuple(DONATION + terrain for terrain in (*BASIC, "water", "mountain"))
RESETTLEMENT, OUTPOST, SWORD, TREASURE = "resettlement", "outpost", "sword", "treasure"
NOMAD_KINDS = (*DONATIONS, RESETTLEMENT, OUTPOST, SWORD, TREASURE)
NOMAD_TILES = (*DONATIONS, *(kind for kind in NOMAD_KINDS[len(DONATIONS) :] for _ in range(2)))

# What is used without a tile of its own, once per own turn.
REFUGE_BONUS, CANOE_BONUS, FARMLAND, CAVE = "refuge bonus", "canoe bonus", "farmland", "cave"
ONCE_PER_TURN = (REFUGE_BONUS, CANOE_BONUS, FARMLAND, CAVE)

# States of a tile.
FRESH, READY, USED = "fresh", "ready", "used"
TILE_STATES = (FRESH, READY, USED)

# Gold.
SCORING = {
    BASE: (
        *("Fishermen", "Miners", "Workers", "Merchants", "Discoverers"),
        *("Knights", "Hermits", "Citizens", "Lords", "Farmers"),
    ),
    "nomads": ("Families", "Shepherds", "Ambassadors"),
    "crossroads": (),
    "marshlands": ("Geologists", "Messengers", "Noblewomen", "Vassals", "Captains", "Scouts"),
    "harvest": ("Homesteaders", "Rangers", "Chainers", "Mayors", "Travellers", "Rovers"),
}
ALL_SCORING = tuple(card for name in SETS for card in SCORING[name])
PAID_IN_PLAY = ("Families", "Shepherds", "Ambassadors", "Rovers")
CASTLES, PALACES, CAPITOLS = "castles", "palaces", "capitols"
# Printed gold for each thing that is counted; 1 for all others.
GOLD = {
    **{"Merchants": 4, "Knights": 2, "Lords": 12, "Farmers": 3, "Families": 2, "Shepherds": 2},
    **{"Geologists": 2, "Messengers": 2, "Noblewomen": 5, "Rangers": 2, "Mayors": 4},
    **{"Home country": 5, "Fortress": 6, "Road": 7, "Place of refuge": 8, "Advance": 9, "Compass points": 10},
    **{CASTLES: 3, PALACES: 5},
}
TASKS = ("Home country", "Fortress", "Road", "Place of refuge", "Advance", "Compass points")

# Units.
WARRIOR, WAGON, SHIP, HALL, SETTLEMENT = "warrior", "wagon", "ship", "hall", "settlement"
N_SETTLEMENTS, N_WALLS, N_SCOUTS, N_TOKENS = 40, 25, 2, 18
UNITS = {WARRIOR: 2, WAGON: 1, SHIP: 1, HALL: 1}
