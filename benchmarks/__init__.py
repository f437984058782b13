"""How fast the project is, part by part: ``python -m benchmarks``, ``python -m benchmarks list``; docs/benchmarks.md."""
