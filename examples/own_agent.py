"""Your own agent in the Gymnasium environment, against a built-in opponent: python examples/own_agent.py

The same class plays at the terminal, winterkingdom play --code examples/own_agent.py --agents own_agent:Lookahead,planner, and in a
tournament, winterkingdom arena examples.own_agent:Lookahead greedy.
"""

import random

import gymnasium

import winterkingdom_env  # noqa: F401  # registers WinterKingdom-v1
from winterkingdom_env.games import Game
from winterkingdom_env.search.view import View


class Lookahead:
    """Tries each legal action in a determinized game, and takes the one with the largest lead in points."""

    def __init__(self, seed: int = 0, most: int = 40) -> None:
        """``most``: the largest number of actions to try; of more, a random sample is tried."""
        self._random, self._most = random.Random(seed), most

    def __call__(self, view: View) -> int:
        """Return one of ``view.legal_actions()``."""
        legal = view.legal_actions()
        tried = legal if len(legal) <= self._most else self._random.sample(legal, self._most)
        game = view.determinize(self._random.getrandbits(32))  # hidden information is resampled
        return max(tried, key=lambda action: (lead(game, view.seat, action), self._random.random()))


def lead(game: Game, seat: int, action: int) -> int:
    """Points of the seat minus the best of the others, after an action."""
    after = game.clone()
    after.apply(action)
    scores = list(after.scores())
    return scores.pop(seat) - max(scores)


def main(n_games: int = 10) -> float:
    """Play against a random opponent, and return the win rate."""
    env = gymnasium.make("WinterKingdom-v1", opponents="random", learner_seat="random")
    wins = 0
    for seed in range(n_games):
        _, info = env.reset(seed=seed)
        agent, is_over = Lookahead(seed), False
        while not is_over:
            action = agent(View(env.unwrapped.game, info["seat"]))  # type: ignore[attr-defined]
            _, _, is_over, _, info = env.step(action)
        wins += info["won"]
    print(f"Lookahead won {wins} of {n_games} games against random")
    return wins / n_games


if __name__ == "__main__":
    main()
