"""Pages for a browser. ``Replay`` is a recorded game as one HTML file that needs no server."""

from __future__ import annotations

from winterkingdom_env.web.replay_page import Replay

__all__ = ["Replay"]
