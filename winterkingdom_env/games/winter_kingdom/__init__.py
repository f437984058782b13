"""Winter Kingdom (Donald X. Vaccarino, 2020) for 2 to 4 players, an implementation of ``games/contract.py``."""

from winterkingdom_env.games.base import perft
from winterkingdom_env.games.errors import ConfigError, IllegalActionError, InvalidActionError, SetupError
from winterkingdom_env.games.house_rules import Sheets
from winterkingdom_env.games.winter_kingdom import house
from winterkingdom_env.games.winter_kingdom.boards import BoardFileError
from winterkingdom_env.games.winter_kingdom.cards import cards
from winterkingdom_env.games.winter_kingdom.choices import CHOICES
from winterkingdom_env.games.winter_kingdom.config import Config, variants
from winterkingdom_env.games.winter_kingdom.facts import FACTS, facts
from winterkingdom_env.games.winter_kingdom.features import FEATURES
from winterkingdom_env.games.winter_kingdom.game import Game, from_bytes, from_setup, game_of, new_game
from winterkingdom_env.games.winter_kingdom.layout import DONE as PASS
from winterkingdom_env.games.winter_kingdom.layout import MAX_PLAYERS, N_ACTIONS
from winterkingdom_env.games.winter_kingdom.notes import OBSERVATION_NOTES, OBSERVATION_ORDERS
from winterkingdom_env.games.winter_kingdom.observe import SCORE_SCALE
from winterkingdom_env.games.winter_kingdom.observe import SPEC as OBSERVATION
from winterkingdom_env.games.winter_kingdom.picture import picture
from winterkingdom_env.games.winter_kingdom.picture_text import board_sheet
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.games.winter_kingdom.saves import check_records
from winterkingdom_env.games.winter_kingdom.screen import screen
from winterkingdom_env.games.winter_kingdom.splits import factors, splits
from winterkingdom_env.games.winter_kingdom.standing import STANDING
from winterkingdom_env.games.winter_kingdom.world import World, make_world
from winterkingdom_env.games.winter_kingdom.worth import WORTH

AGENTS: dict[str, str] = {}  # those of search/ play it
NAME = Game.NAME
TITLE = Game.TITLE
ENV_VERSION = Game.VERSION
PLACES = tuple(make_rules()["cell"][0].tolist())
PLACE_KINDS = 3  # house, fort, lift
PLAYERS = range(2, MAX_PLAYERS + 1)
SHARED: tuple[str, ...] = ("sides",)
SHEETS: Sheets = house.SHEETS
label, parse = Game.label, Game.parse

__all__ = [
    "AGENTS",
    "CHOICES",
    "ENV_VERSION",
    "FACTS",
    "FEATURES",
    "MAX_PLAYERS",
    "NAME",
    "N_ACTIONS",
    "OBSERVATION",
    "OBSERVATION_NOTES",
    "OBSERVATION_ORDERS",
    "PASS",
    "PLACES",
    "PLACE_KINDS",
    "PLAYERS",
    "SCORE_SCALE",
    "SHARED",
    "SHEETS",
    "STANDING",
    "TITLE",
    "WORTH",
    "BoardFileError",
    "Config",
    "ConfigError",
    "Game",
    "IllegalActionError",
    "InvalidActionError",
    "SetupError",
    "World",
    "board_sheet",
    "cards",
    "check_records",
    "factors",
    "facts",
    "from_bytes",
    "from_setup",
    "game_of",
    "label",
    "make_world",
    "new_game",
    "parse",
    "perft",
    "picture",
    "screen",
    "splits",
    "variants",
]
