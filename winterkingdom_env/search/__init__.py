"""Greedy choice, beam, tree search and the small network: kernels over verbs, written once for every game; and the agents by name."""
