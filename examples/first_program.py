"""One game of three random players in the PettingZoo environment: python examples/first_program.py"""

from winterkingdom_env import winter_kingdom_v1


def main(seed: int = 7) -> dict[str, float]:
    """Play a game, print every seat's score sheet, and return the rewards."""
    env = winter_kingdom_v1.env(num_players=3, twist="random")
    env.reset(seed=seed)
    for number, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + number)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            print(f"{agent}: reward {reward:+.2f}, points {info['score_sheet']}")
            env.step(None)
        else:
            # The mask marks the legal actions. sample() draws one of them.
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    return rewards


if __name__ == "__main__":
    main()
