"""The ``winterkingdom`` command: ``commands.py`` has the application."""
