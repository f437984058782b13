"""The places and cards of a picture that can be clicked, and the actions that are about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winterkingdom_env.core.picture import Picture, Spot


class Spots:
    """The spots of a picture. Each has a key: its name, with its first verb in front if it is for certain verbs only."""

    def __init__(self, picture: Picture) -> None:
        """Collect the spots."""
        numbers = {region.name: i for i, region in enumerate(picture.regions)}
        self._spots: dict[str, Spot] = {}
        self._by_name: dict[str, list[str]] = {}
        self.rows: list[dict[str, Any]] = []  # as a page receives them
        for spot in picture.spots():
            key = " ".join((*spot.verbs[:1], spot.name))
            if key in self._spots:
                continue
            self._spots[key] = spot
            self._by_name.setdefault(spot.name, []).append(key)
            points = [[round(x, 1), round(y, 1)] for x, y in spot.points]
            self.rows.append(
                {"name": key, "points": points, "region": numbers.get(spot.region, 0), "tip": spot.tip or spot.name}
            )

    def __getitem__(self, key: str) -> Spot:
        """The spot with this key; KeyError if there is none."""
        return self._spots[key]

    def place(self, key: str) -> dict[str, Any]:
        """Where a spot lies: its corners, and the number of its region."""
        row = next(row for row in self.rows if row["name"] == key)
        return {"points": row["points"], "region": row["region"]}

    def __contains__(self, key: object) -> bool:
        """Whether there is a spot with this key."""
        return key in self._spots

    def of(self, label: str) -> str | None:
        """The key of the spot that an action is about."""
        for name in _beginnings(label.partition(" ")[2]):
            for key in self._by_name.get(name, ()):
                if self._spots[key].has(label):
                    return key
        return None


def _beginnings(words: str) -> Iterator[str]:
    """The words, then one word less at the end each time."""
    while words:
        yield words
        words = words.rpartition(" ")[0]
