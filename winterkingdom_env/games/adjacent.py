"""Words for the rule of both board games that a piece goes next to own ones where that is possible. One wording, so that tests can check it."""

from __future__ import annotations

from collections.abc import Mapping

OWN = "your pieces"


def words_on_terrain(terrain: str, is_near: bool, has_pieces: bool, page: str, own: str = OWN) -> str:
    """Why a mandatory piece may go on these hexes of a terrain."""
    if is_near:
        return f"{own} touch free {terrain}, so this piece must go next to them ({page})"
    if not has_pieces:
        return f"you have no piece on the board, so all free {terrain} is open ({page})"
    return f"no free {terrain} touches {own}, so all free {terrain} is open ({page})"


def words_on_some(is_near: Mapping[str, bool], has_pieces: bool, page: str, own: str = OWN) -> str:
    """Why a special action may go on these hexes, by terrain if each is judged by itself, otherwise with an empty name."""
    if len(set(is_near.values())) > 1:
        return "; ".join(words_on_terrain(name, near, has_pieces, page, own) for name, near in is_near.items())
    if all(is_near.values()):
        return f"of these hexes only those next to {own}, since there are some ({page})"
    if not has_pieces:
        return f"you have no piece on the board, so all of these hexes are open ({page})"
    return f"none of these hexes touches {own}, so all of them are open ({page})"
