"""The benchmark suite: ``python -m benchmarks``, ``python -m benchmarks list``; docs/benchmarks.md."""
