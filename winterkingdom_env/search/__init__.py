"""Generic search kernels (greedy, beam, tree search, small network), and the registry of agents."""
