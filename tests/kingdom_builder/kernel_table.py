"""The kernels as a table for the examples: positions written into records."""

from __future__ import annotations

from typing import Any

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.games.kingdom_builder import furnish, layout, pieces, plain, scoring, setup, silos, tables, turn
from winterkingdom_env.games.kingdom_builder.actions import hex_numbers, labels, numbers
from winterkingdom_env.games.kingdom_builder.boards import read_layouts
from winterkingdom_env.games.kingdom_builder.kinds import Phase, SiloMode, Terrain
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, ISLAND_FIRST, N_HEXES, NONE
from winterkingdom_env.games.kingdom_builder.rules import make_rules
from winterkingdom_env.games.kingdom_builder.tables import SCORING_NAMES, TASK_NAMES, TERRAIN_NAMES, TILE_NAMES
from winterkingdom_env.games.kingdom_builder.world import make_world

PHASES = {name: number for number, name in enumerate(plain.PHASE_NAMES)}
SEAT_NUMBERS = {"supply": "supply", "tokens": "tokens", "held": "held_pieces", "due": "due"}
TABLE_NUMBERS = {"walls_left": "walls_left", "tokens": "token_stock", "end": "is_end", "round": "round", "rng": "rng"}
NO_TILE = FIRST_NOMAD  # of a nomad hex whose tile was taken: which one does not matter


def number_of(label: str | None) -> int:
    """The number of a hex; NONE for None."""
    return NONE if label is None else hex_numbers()[label]


def fill_set(sets: np.ndarray, index: int, hexes: list[str]) -> None:
    """Write a set of hexes."""
    for label in hexes:
        row, bit = divmod(int(make_rules()["cell"][0][number_of(label)]), 32)
        sets[index, row] |= np.uint32(1 << bit)


class KernelTable:
    """One game in records, with the methods that examples call."""

    def __init__(self) -> None:
        self.games, self.boards = aligned(1, layout.GAME), aligned(1, layout.BOARD)
        self.legals, self.rules = aligned(1, layout.LEGAL), make_rules()
        self.game, self.board, self.legal = self.games[0], self.boards[0], self.legals[0]
        self.request = np.zeros(1, layout.REQUEST)
        self.world = make_world(1)._replace(games=self.games, boards=self.boards, legals=self.legals)
        setup.clear_game(self.game)
        setup.clear_board(self.board)

    def find(self) -> None:
        """Find the legal actions."""
        turn.advance(self.game, np.int64(layout.NOTHING), self.board, self.rules[0], self.legal)

    def legal_actions(self) -> list[int]:
        actions = np.zeros(2 * layout.N_ACTIONS, np.int16)
        n = verbs.list_legal(self.world, 0, actions)
        return [int(action) for action in actions[:n]]

    def legal_labels(self) -> set[str]:
        return {labels(int(self.game["phase"]))[action] for action in self.legal_actions()}

    def apply(self, label: str) -> None:
        action = numbers(int(self.game["phase"])).get(label, NONE)
        if action == NONE or turn.advance(self.game, np.int64(action), self.board, self.rules[0], self.legal):
            raise ValueError(f"{label} is illegal")

    def snapshot(self) -> dict[str, Any]:
        return plain.make_snapshot(self.game, self.board)

    def sheet(self) -> np.ndarray:
        """The score sheet."""
        sheet = np.zeros((layout.MAX_PLAYERS, layout.N_SHEET), np.int16)
        scoring.score(np.int64(NONE), self.game, self.board, self.rules[0], sheet)
        return sheet

    def scores(self) -> list[int]:
        return self.sheet().sum(axis=1).tolist()[: self.board["n_players"]]

    def winners(self) -> list[int]:
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def score_card(self, name: str) -> list[int]:
        sheet, n_players = np.zeros((layout.MAX_PLAYERS, layout.N_SHEET), np.int16), int(self.board["n_players"])
        if name in TASK_NAMES:
            task = tables.TASKS[TASK_NAMES.index(name)]
            return [
                task.gold
                if scoring.fulfils(np.int64(task.task), np.int64(seat), self.game, self.board, self.rules[0])
                else 0
                for seat in range(n_players)
            ]
        boards, card = self.boards.copy(), SCORING_NAMES.index(name)
        boards["scoring"][0, 0], boards["gold"][0, 0] = card, tables.SCORINGS[card].gold
        seats = np.int64(0), np.int64(n_players)
        scoring.score_card(np.int64(0), *seats, self.game, boards[0], self.rules[0], sheet)
        return sheet[:n_players, 0].tolist()

    # Positions

    def lay(self, data: dict[str, Any]) -> None:
        """Write the constant part of a snapshot."""
        board, rows = self.board, "".join(data["terrain"])
        board["n_players"], board["round_limit"] = data["num_players"], data["round_limit"]
        board["sets"] = sum(1 << tables.SETS.index(name) for name in data["sets"])
        board["castle_gold"], board["palace_gold"] = (landmark.gold for landmark in tables.LANDMARKS)
        board["terrain_at"] = NONE
        for number, letter in enumerate(rows):
            board["terrain_at"][number] = tables.TERRAIN_LETTERS.index(letter)
        for row, text in enumerate(data["island"] or ()):
            board["island"] = 0
            for column, letter in enumerate(text):
                if letter != ".":
                    number = ISLAND_FIRST + layout.ISLAND_COLUMNS * row + column
                    board["terrain_at"][number] = tables.TERRAIN_LETTERS.index(letter)
        board["in_play"] = 0
        for k, name in enumerate(data["scoring"]):
            card = SCORING_NAMES.index(name)
            board["scoring"][k], board["gold"][k] = card, tables.SCORINGS[card].gold
            board["in_play"] |= (tables.SCORINGS[card].measure >= layout.FIRST_IN_PLAY) << k
        board["task"] = NONE
        for k, name in enumerate(data["tasks"]):
            board["task"][k] = TASK_NAMES.index(name)
            board["task_gold"][k] = tables.TASKS[TASK_NAMES.index(name)].gold
        removed = data["removed_terrain"]
        board["removed"] = NONE if removed is None else TERRAIN_NAMES.index(removed)
        for field, name in (("cave", "caves"), ("capitol", "capitols")):
            for k, label in enumerate(data[name]):
                board[field][k] = number_of(label)
        self.quadrants = data["quadrants"]

    def lay_sites(self, data: dict[str, Any]) -> None:
        """Write the sites: tiles whose source is never left come first, then the hexes, ascending."""
        board, n = self.board, 0
        for seat, given in enumerate(data["seats"]):
            free = [(kind, now) for kind, source, now in given["tiles"] if source is None]
            for kind, now in [*free, *map(tuple, given["nomads"])]:
                board["site_tile"][n] = TILE_NAMES.index(kind)
                self.hold(seat, n, now)
                n += 1
        for number in range(N_HEXES):
            terrain, label = board["terrain_at"][number], plain.hex_name(number) or ""
            if terrain not in (Terrain.LOCATION, Terrain.NOMAD):
                continue
            kind = data["locations"].get(label) or data["nomads"].get(label)
            board["site_hex"][n], board["site_tile"][n] = number, TILE_NAMES.index(kind) if kind else NO_TILE
            self.game["tiles_left"][n] = data["tiles"].get(label, int(label in data["nomads"]))
            for seat, given in enumerate(data["seats"]):
                self.game["took"][seat] |= np.uint32((label in given["taken"]) << n)
                for _, source, now in given["tiles"]:
                    if source == label:
                        self.hold(seat, n, now)
            n += 1
        board["n_sites"] = n

    def hold(self, seat: int, site: int, now: str) -> None:
        """The seat holds the tile of a site in this state."""
        for field, is_so in (("held", True), ("fresh", now == plain.FRESH), ("used", now == plain.USED)):
            self.game[field][seat] |= np.uint32(is_so << site)

    def seat(self, seat: int, data: dict[str, Any]) -> None:
        """Write a seat."""
        game = self.game
        for name, field in SEAT_NUMBERS.items():
            game[field][seat] = data[name]
        hall = [] if data["hall"] is None else plain._around(number_of(data["hall"]))
        units = [label for label in (*data["warriors"], data["wagon"], data["ship"]) if label is not None]
        fill_set(game["pieces"], seat, [*data["settlements"], *units, *hall])
        for k, label in enumerate(data["warriors"]):
            game["warriors"][seat][k] = number_of(label)
        for name in ("wagon", "ship", "hall"):
            game[name][seat] = number_of(data[name])
        for k, name in enumerate(plain.UNIT_SUPPLIES):
            game["unit_supply"][seat][k] = data["units"][name]
        for bonus, name in plain.BONUS_NAMES.items():
            game["bonus_used"][seat] |= (name in data["bonus_used"]) << int(bonus)
        for k, card in enumerate(data["hand"]):
            game["hand"][seat][k] = tables.CARD_NAMES.index(card)
        game["n_hand"][seat] = len(data["hand"])
        game["rovers"][seat] = sum(1 << place for place in data["rovers"])
        game["lines"][seat] = sum(1 << row for row in data["lines"])
        game["paid"][seat][layout.TREASURE_PAID] = data["gold"]

    def fill(self, data: dict[str, Any]) -> None:
        """Write a whole snapshot; ``now`` may have nothing but a phase."""
        game = self.game
        self.lay(data)
        for seat, given in enumerate(data["seats"]):
            self.seat(seat, given)
        self.lay_sites(data)
        for name, field in TABLE_NUMBERS.items():
            game[field] = data[name]
        fill_set(game["walls"], 0, data["walls"])
        fill_set(game["scouts"], 0, data["scouts"])
        for name in ("deck", "discards"):
            for k, card in enumerate(data[name]):
                game[name][k] = tables.CARD_NAMES.index(card)
        game["n_deck"], game["n_discards"] = len(data["deck"]), len(data["discards"])
        for card in data["out"]:
            game["out"][tables.CARD_NAMES.index(card)] += 1
        told, now = data["turn"], data["now"]
        game["turn_seat"], game["seat"] = told["seat"], now.get("seat", told["seat"])
        game["n_pieces"], game["extra_cards"] = told.get("pieces", 3), told.get("extra_cards", 0)
        for k, label in enumerate(told.get("placed", ())):
            game["placed"][k] = number_of(label)
        game["n_placed"] = len(told.get("placed", ()))
        if told.get("terrain") is not None:
            game["terrain"] = TERRAIN_NAMES.index(told["terrain"])
        if told.get("played") is not None:
            game["played"] = data["seats"][told["seat"]]["hand"].index(told["played"])
        for name in told.get("used", ()):
            game["used_tiles"] |= np.uint64(1 << TILE_NAMES.index(name))
        game["phase"] = PHASES[now["phase"]]
        game["silo_mode"] = SiloMode.NONE
        furnish.furnish(self.board, self.rules[0])
        pieces.find_facts(game, self.board, self.rules[0])
        if game["phase"] == Phase.SILO:
            silos.begin_silos(np.int64(game["seat"]), game, self.board)
        self.find()


def as_text(layouts: dict[str, Any], islands: dict[str, Any]) -> str:
    """Layouts as a file of quadrants."""
    return "\n".join(f"[{name}]\n" + "\n".join(given["rows"]) for name, given in {**layouts, **islands}.items())


def request_of(options: dict[str, Any]) -> np.ndarray:
    """The options as kernels read them."""
    request = np.zeros(1, layout.REQUEST)
    for name in ("quadrant", "is_turned", "scoring", "task", "n_tasks", "island"):
        request[name] = NONE
    request["num_players"], request["round_limit"] = options["num_players"], options["round_limit"]
    request["sets"] = sum(1 << tables.SETS.index(name) for name in options["sets"])
    swamp_cards = options["swamp_cards"]
    request["swamp_cards"] = "marshlands" in options["sets"] if swamp_cards == "auto" else swamp_cards
    request["capitol"], request["caves"] = options["capitol"], options["caves"]
    for place, (name, turned) in enumerate(options.get("quadrants") or ()):
        request["quadrant"][0, place], request["is_turned"][0, place] = tables.QUADRANT_NAMES.index(name), turned
    for k, name in enumerate(options.get("scoring") or ()):
        request["scoring"][0, k] = SCORING_NAMES.index(name)
    if options.get("tasks") is not None:
        request["n_tasks"] = len(options["tasks"])
        request["task"][0, : len(options["tasks"])] = [TASK_NAMES.index(name) for name in options["tasks"]]
    request["excluded"] = sum(1 << SCORING_NAMES.index(name) for name in options.get("exclude", ()))
    if options["island"] is not None:
        request["island"] = [*tables.ISLAND_NAMES, "random"].index(options["island"])
    gold = options.get("gold", {})
    request["gold"][0] = [gold.get(card.name, card.gold) for card in tables.SCORINGS]
    request["task_gold"][0] = [gold.get(card.name, card.gold) for card in tables.TASKS]
    names = ("castles", "palaces")
    request["castle_gold"], request["palace_gold"] = (
        gold.get(name, landmark.gold) for name, landmark in zip(names, tables.LANDMARKS, strict=True)
    )
    return request


class KernelMake:
    """How the kernels make tables."""

    def position(self, data: dict[str, Any]) -> KernelTable:
        table = KernelTable()
        table.fill(data)
        return table

    def setup(self, options: dict[str, Any]) -> KernelTable:
        layouts, table = read_layouts(as_text(options["layouts"], options["islands"])), KernelTable()
        table.games["rng"] = seed_state(options["seed"])
        setup.set_up(
            table.game, table.board, table.rules[0], layouts.quadrants, layouts.islands, request_of(options)[0]
        )
        table.find()
        return table
