"""The agent ``bigmoney``, which the game brings: named like any other, everywhere."""

from __future__ import annotations

import pytest

from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import AgentError, agent_spec, agent_texts, get_ready
from winterkingdom_env.search.view import View

pytestmark = pytest.mark.rule("Dominion, yardsticks")
RULES = get_game("dominion")


def scores(first: str, second: str, seed: int) -> list[int]:
    game = RULES.new_game(RULES.Config(kingdom="first_game"), seed)
    agents = [agent_spec(text).make(seed=0) for text in (first, second)]
    while not game.is_over:
        game.apply(agents[game.seat](View(game, game.seat)))
    return game.scores()


def test_names__rule_and_cards__play_differently() -> None:
    plain = scores("bigmoney", "bigmoney", 7)
    assert plain == scores("bigmoney:rule=bm", "bigmoney:rule=BM", 7)
    others = ["bigmoney:rule=BMU", "bigmoney:cards=Smithy", "bigmoney:cards=Smithy+Militia,n=2"]
    assert len({tuple(scores(other, "bigmoney", 7)) for other in others} - {tuple(plain)}) > 1


def test_list__options_with_commas__stay_with_their_agent() -> None:
    assert agent_texts("bigmoney,bigmoney:cards=Smithy,n=2,random") == [
        "bigmoney",
        "bigmoney:cards=Smithy,n=2",
        "random",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bigmoney:rule=BMX", "rule='BMX' is not a player; there are: BM, BMS, BMD, BMU"),
        ("bigmoney:cards=Gold", "'Gold' is not a kingdom card"),
        ("bigmoney:cards=Smithy,n=11", "n=11: 1 to 10 copies"),
        ("bigmoney:speed=3", "speed"),
    ],
)
def test_options__that_make_no_sense__are_refused_with_what_there_is(text: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        agent_spec(text).make(seed=0)


def test_other_games__are_refused() -> None:
    with pytest.raises(ValueError, match="bigmoney plays Dominion only, not Winter Kingdom"):
        get_ready(agent_spec("bigmoney").make(seed=0), get_game("winter_kingdom"))


def test_hidden_cards__do_not_matter() -> None:
    agent = agent_spec("bigmoney:cards=Council Room+Militia").make(seed=0)
    for seed in range(10):
        game = RULES.new_game(RULES.Config(), seed)
        for _ in range(40):
            choices = {agent(View(game.determinize(game.seat, k), game.seat)) for k in range(4)}
            assert choices == {agent(View(game, game.seat))}
            game.apply(choices.pop())
            if game.is_over:
                break
