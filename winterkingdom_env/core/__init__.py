"""What every game shares: bit rows on a hex grid, a random stream, the one way to compile a kernel. It knows no game."""
