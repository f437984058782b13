"""Timings of the engine: ``python -m benchmarks``."""
