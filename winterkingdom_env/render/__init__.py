"""Rendering: ``svg``, ``raster`` and ``text`` draw the Picture that a game's ``picture`` returns. They never change a game."""

from __future__ import annotations

from winterkingdom_env.core.picture import Look, Picture
from winterkingdom_env.games import Game, get_game, name_of

__all__ = ["Look", "Picture", "picture_of"]


def picture_of(game: Game, look: Look | None = None) -> Picture:
    """The picture of a game. Without a ``look``, it shows the full state, including hidden hands, and nothing else.

    svg.render(picture_of(game, Look(viewer=0, sheet=game.score_sheet())))
    """
    picture: Picture = get_game(name_of(game)).picture(game.snapshot(), look or Look())
    return picture
