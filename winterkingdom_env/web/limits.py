"""What a browser may ask of the server at the most."""

from __future__ import annotations

MB = 1 << 20
LONGEST_MESSAGE = 1 << 16  # bytes of a message on a socket, and of a body of JSON
LONGEST_RECORD = 4 * MB  # bytes of a record that is opened; the longest known game has some 60 kB
LONGEST_NAME = 40  # characters of a person's name
MOST_GAMES = 20_000  # in the folder of data
MOST_FILES = 2_000  # records that were opened
MOST_LIVE = 400  # games in memory; what nobody looks at is dropped from it
MOST_SOCKETS = 512
MOST_BAD = 20  # messages of one socket that cannot be read, before it is closed
MESSAGES_PER_SECOND, MESSAGES_AT_ONCE = 20.0, 60
GAMES_PER_MINUTE = 240.0
MOST_STUDIES = 8  # positions that wait for a search
MOST_LISTED = 100  # games on the first page
MOST_ROWS = 12  # thoughts about a position
MILLISECONDS = (5, 20, 50, 200, 1000, 5000)  # thinking times that a form offers
LONGEST_DELAY = 5000  # milliseconds between two moves of a watched game
SECONDS_TO_JOIN = 10.0
SECONDS_TO_KEEP = 30.0  # a game in memory that nobody looks at
THINKERS = 2  # threads in which agents think


class Refused(Exception):
    """A request that is not carried out; ``words``: a sentence for the person, ``status``: of HTTP."""

    def __init__(self, words: str, status: int = 400) -> None:
        """The reason as a sentence."""
        super().__init__(words)
        self.words, self.status = words, status


class Bucket:
    """Lets ``per_second`` events pass, and ``at_once`` in a burst."""

    def __init__(self, per_second: float, at_once: float) -> None:
        """A full bucket."""
        self._per_second, self._most, self._left, self._at = per_second, at_once, at_once, 0.0

    def passes(self, now: float) -> bool:
        """Whether an event may pass at this time, in seconds."""
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._per_second)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
