"""Games from elsewhere: what is no game is refused, and the error names what it lacks."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from tests.house.games import NAMES
from winterkingdom_env.games import ASKED, UnknownGameError, get_game, register_game


@pytest.mark.parametrize("missing", ["PLAYERS", "World", "picture", "check_records"])
def test_register__something_is_missing__names_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = get_game(NAMES[0])
    module = ModuleType("somewhere")
    module.game = SimpleNamespace(**{name: getattr(rules, name) for name in ASKED if name != missing})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somewhere", module)
    with pytest.raises(UnknownGameError, match=f"'somewhere:game' is not a game: it lacks {missing} "):
        register_game("somewhere:game")


def test_register__a_name_that_is_taken__is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("somewhere")
    module.game = get_game(NAMES[0])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somewhere", module)
    with pytest.raises(UnknownGameError, match="give it another NAME"):
        register_game("somewhere:game")
