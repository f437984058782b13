"""Pictures of games: ``svg``, ``raster`` and ``text`` draw what a game's ``picture`` describes. They never change a game."""

from __future__ import annotations

from winterkingdom_env.core.picture import Look, Picture
from winterkingdom_env.games import Game, get_game, name_of

__all__ = ["Look", "Picture", "picture_of"]


def picture_of(game: Game, look: Look | None = None) -> Picture:
    """What a game looks like now; without a look everything on the table is shown, and nothing beside it.

    svg.render(picture_of(game, Look(viewer=0, sheet=game.score_sheet())))
    """
    picture: Picture = get_game(name_of(game)).picture(game.snapshot(), look or Look())
    return picture
