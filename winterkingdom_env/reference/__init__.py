"""Slow, simple reference implementations of the rules, which tests compare with the kernels."""
