"""Notebooks for those who have just installed the project, saved with their outputs."""
