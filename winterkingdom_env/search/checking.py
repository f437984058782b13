"""Play games with an agent, in a process of its own, and find what would make it forfeit in the arena."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from winterkingdom_env.search.check_games import Begun, Did, Doing, Done, Ended, Failed, Job, Noted, Refused, Report
from winterkingdom_env.search.check_process import CheckProcess, EndedError
from winterkingdom_env.search.registry import AgentError

__all__ = ["Check", "Fault", "Findings", "Job"]


@dataclass(frozen=True)
class Fault:
    """Something that would forfeit a game: what happened, in which game, and the agent's traceback if there is one."""

    words: str
    game: str
    traceback: str = ""


@dataclass
class Findings:
    """What the games of a check showed. ``notes`` cost no game but make results hard to repeat or to spread over processes."""

    games: int = 0
    finished: int = 0
    wins: float = 0.0
    seconds: list[float] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """Whether every game was played to its end."""
        return not self.faults

    @property
    def mean(self) -> float:
        """Seconds per move, of the agent alone."""
        return sum(self.seconds) / max(1, len(self.seconds))

    @property
    def slowest(self) -> float:
        """Seconds of the slowest move."""
        return max(self.seconds, default=0.0)


class Check:
    """Games of one agent against random ones. The first is played twice, to see whether a seed reproduces it."""

    def __init__(self, job: Job, echo: Callable[[str], None]) -> None:
        """``echo`` is called with the lines that the agent prints."""
        self._job, self._echo = job, echo
        self.findings = Findings()
        self._game = Begun("before the first game", is_again=True)
        self._is_playing = self._is_move = False

    def run(self) -> Generator[Findings, None, None]:
        """Play, and yield the findings after each game. Raises AgentError if there is no such agent.

        An agent that hangs, ends its process or prints too much ends the check: its process is gone.
        """
        process = CheckProcess(self._job, self._echo)
        try:
            while not isinstance(report := process.receive(), Done):
                self._note(report)
                if isinstance(report, Ended) and not self._game.is_again:
                    yield self.findings
            process.finish()
        except EndedError as end:
            self.findings.faults.append(Fault(str(end), self._game.name, end.trace))
            self.findings.games += self._is_playing
        finally:
            process.end()
        self._note_process(process)

    def _note(self, report: Report) -> None:
        found = self.findings
        match report:
            case Refused(words):
                raise AgentError(words)
            case Begun():
                self._game, self._is_playing = report, not report.is_again
            case Doing():
                self._is_move = report.is_move and self._is_playing
            case Did(seconds) if self._is_move:
                found.seconds.append(seconds)
            case Failed(words, traceback):
                found.faults.append(Fault(words, self._game.name, traceback))
            case Noted(words):
                found.notes.append(words)
            case Ended(wins) if self._is_playing:
                self._is_playing = False
                found.games += 1
                found.finished += wins is not None
                found.wins += wins or 0.0

    def _note_process(self, process: CheckProcess) -> None:
        if process.output.n_characters:
            self.findings.notes.append(
                f"it printed {process.output.n_characters} characters; first line: {process.output.first_line}"
            )
        if process.n_left:
            running = "1 process" if process.n_left == 1 else f"{process.n_left} processes"
            self.findings.notes.append(f"it left {running} running, ended with the check")
