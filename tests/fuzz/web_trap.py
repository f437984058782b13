"""A module that nothing from the network may make the server import: importing it is noticed (web_run.py)."""

RULES = None
