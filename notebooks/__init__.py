"""Introductory notebooks, saved with their outputs."""
