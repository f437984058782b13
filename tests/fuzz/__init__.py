"""Things from outside with something wrong in them, by the thousand: ``python -m tests.fuzz --help``."""
