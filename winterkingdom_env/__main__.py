"""``python -m winterkingdom_env`` is the ``winterkingdom`` command."""

from winterkingdom_env.cli.commands import main

if __name__ == "__main__":
    main()
