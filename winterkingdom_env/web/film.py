"""A game as a film: its first picture, then for every action the parts of the picture that changed.

    film = film_of(read_record("game.jsonl"))

``Changes`` finds the changed parts of a series of pictures. A ``Film`` is the series of a whole game as data, for ``replay_page``.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain

import msgspec

from winterkingdom_env.core.drawing import SEAT_COLOURS, SEAT_LETTERS, ink_on
from winterkingdom_env.core.picture import Look, Picture, Region
from winterkingdom_env.games import Game, get_game
from winterkingdom_env.records import Record, Step, replay_steps, start_game
from winterkingdom_env.render import picture_of
from winterkingdom_env.render.svg import element
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import odds_of, shipped_network

FORMAT = 2
DIGITS = 3  # of win probabilities


class Changes:
    """Compares each picture of a series with the one before."""

    def __init__(self) -> None:
        """No picture yet."""
        self._keys: dict[str, Hashable] = {}
        self._drawn: dict[str, str] = {}

    def since(self, picture: Picture) -> dict[str, str]:
        """The parts that differ from the last picture, as SVG elements by name; all parts of the first picture."""
        changed = {}
        for part in picture.parts:
            if part.key is not None and part.name in self._drawn and self._keys[part.name] == part.key:
                continue
            self._keys[part.name] = part.key
            drawn = "".join(map(element, part.draw()))
            if self._drawn.get(part.name) != drawn:
                self._drawn[part.name] = changed[part.name] = drawn
        return changed


class Seat(msgspec.Struct, frozen=True):
    """A seat: its letter, its colours and who sits there."""

    letter: str
    colour: str
    ink: str
    agent: str


class Area(msgspec.Struct, frozen=True):
    """A region of the pictures, in units of the sheet."""

    name: str
    x: float
    y: float
    width: float
    height: float


class PartOf(msgspec.Struct, frozen=True):
    """A part of the pictures, and the index of its region."""

    name: str
    region: int


class Frame(msgspec.Struct, frozen=True):
    """A position, and the action that led to it: none before the first.

    ``parts``: pairs of a part and its text, as indices into those of the film. ``sheet``: points per seat and column if the game ended now.
    """

    seat: int | None
    action: str | None
    round: int
    asked: int | None  # the seat to act; None after the end
    parts: list[int]
    sheet: list[list[int]]
    ranks: list[int]


class Film(msgspec.Struct, frozen=True):
    """A whole game in pictures.

    ``odds``: per frame the win probability of every seat by the game's shipped network, from what the viewer knows or, if everything is shown,
    the seat to act; None without a network.
    """

    format: int
    game: str
    title: str
    env_version: str
    package_version: str
    seed: int | None
    viewer: int | None
    is_complete: bool
    width: int
    height: int
    regions: list[Area]
    seats: list[Seat]
    columns: list[str]
    parts: list[PartOf]
    texts: list[str]
    frames: list[Frame]
    odds: list[list[float]] | None


def layout_of(picture: Picture) -> tuple[list[Area], list[PartOf]]:
    """The regions of a picture, and those of its parts that lie in one."""
    regions = picture.regions or (Region("", 0, 0, picture.width, picture.height),)
    index = {region.name: i for i, region in enumerate(regions)}
    parts = [PartOf(part.name, index[part.region]) for part in picture.parts if part.region in index]
    return [Area(*region) for region in regions], parts


class Camera:
    """Takes one frame after the other; ``odds`` has the win probabilities of each, if there is a network."""

    def __init__(self, viewer: int | None, parts: list[PartOf], network: Thinker | None = None) -> None:
        """``parts``: of the pictures; ``network``: for the win probabilities."""
        self.viewer, self.changes = viewer, Changes()
        self.network, self.odds = network, list[list[float]]()
        self.parts = {part.name: i for i, part in enumerate(parts)}
        self.texts: dict[str, int] = {}

    def take(self, game: Game, step: Step | None) -> Frame:
        """The frame of a position after this step."""
        changed = self.changes.since(picture_of(game, Look(self.viewer)))
        odds = odds_of(game, game.seat if self.viewer is None else self.viewer, self.network)
        if odds is not None:
            self.odds.append([round(share, DIGITS) for share in odds])
        pairs = (
            (self.parts[name], self.texts.setdefault(text, len(self.texts)))
            for name, text in changed.items()
            if name in self.parts
        )
        return Frame(
            seat=None if step is None else step.seat,
            action=None if step is None else step.action,
            round=game.round,
            asked=None if game.is_over else game.seat,
            parts=list(chain.from_iterable(pairs)),
            sheet=[list(row.values()) for row in game.score_sheet()],
            ranks=list(game.ranks()),
        )


def film_of(record: Record, viewer: int | None = None, has_odds: bool = True) -> Film:
    """The film of a recorded game, which is verified on the way. Raises RecordError at the first wrong line.

    ``viewer``: the seat whose view is shown; None shows everything. ``has_odds``: with win probabilities, if a network is shipped for the game.
    """
    game, header = start_game(record), record.header
    if viewer is not None and not 0 <= viewer < game.n_players:
        raise ValueError(f"viewer={viewer}: this game has the seats 0 to {game.n_players - 1}; None shows everything")
    first = picture_of(game, Look(viewer))
    regions, parts = layout_of(first)
    rules = get_game(header.game)
    camera = Camera(viewer, parts, shipped_network(rules) if has_odds else None)
    frames = [camera.take(game, None)]
    frames += [camera.take(game, step) for step, game in replay_steps(record, game)]
    return Film(
        format=FORMAT,
        game=header.game,
        title=rules.TITLE,
        env_version=header.env_version,
        package_version=header.package_version,
        seed=header.seed if viewer is None else None,  # it tells every hidden card
        viewer=viewer,
        is_complete=record.is_complete,
        width=first.width,
        height=first.height,
        regions=regions,
        seats=[_seat(seat, header.agents) for seat in range(game.n_players)],
        columns=list(game.score_sheet()[0]),
        parts=parts,
        texts=list(camera.texts),
        frames=frames,
        odds=camera.odds or None,
    )


def _seat(seat: int, agents: list[str] | None) -> Seat:
    colour = SEAT_COLOURS[seat]
    return Seat(SEAT_LETTERS[seat], colour, ink_on(colour), "" if agents is None else agents[seat])
