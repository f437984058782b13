"""The options of a trainer's command: the fields of its settings, presets, and errors in one line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from benchmarks.plot import PlotError
from winterkingdom_env.cli.terminal import fail
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.plain_text import quoted

COMMENT = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)  # beside a field of a dataclass
DEFAULTS = "Settings, with their defaults"  # above the options in the help
Command = Callable[..., None]


class SettingsCommand(TyperCommand):
    """A command with many options; for an unknown one like --lr it suggests those with these initials, too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if hasattr(error, "possibilities"):  # NoSuchOption, which typer does not export
                names = [name for option in self.params for name in option.opts]
                typed = str(getattr(error, "option_name", "")).strip("-")
                short = [name for name in names if "".join(word[:1] for word in name.split("-")) == typed]
                error.possibilities = [*(error.possibilities or ()), *short]
            raise


def _option(name: str, default: Any, comment: str, panel: str) -> Any:
    """The type of a parameter that typer reads as an option; a value that is not given is None."""
    if isinstance(default, tuple):  # may be given often
        return Annotated[list[str] | None, typer.Option(f"--{name}", help=comment, rich_help_panel=panel)]
    shown = f"{comment} [dim]({default})[/dim]" if default != "" else comment
    if isinstance(default, bool):
        return Annotated[bool | None, typer.Option(f"--{name}/--no-{name}", help=shown, rich_help_panel=panel)]
    kind = type(default)
    return Annotated[kind | None, typer.Option(f"--{name}", help=shown, rich_help_panel=panel, metavar=kind.__name__)]


def settings_options(kind: type[Any], panel: str = DEFAULTS, **names: str) -> Callable[[Command], Command]:
    """Give a command an option for every field of a dataclass; the comment beside a field is its help.

    The command gets the fields that were given on the command line as ``given``, a dict. ``panel``: the heading
    above the options in the help. ``names``: options that are not called like their fields.
    """
    comments = dict(COMMENT.findall(inspect.getsource(kind)))
    only = inspect.Parameter.KEYWORD_ONLY

    def decorated(command: Command) -> Command:
        known = inspect.signature(command, eval_str=True).parameters.values()
        own = [parameter.replace(kind=only) for parameter in known if parameter.name != "given"]
        added = []
        for field in fields(kind):
            name = names.get(field.name, field.name.replace("_", "-"))
            option = _option(name, field.default, comments[field.name], panel)
            added.append(inspect.Parameter(field.name, only, default=None, annotation=option))

        def run(**values: Any) -> None:
            found = {field.name: values.pop(field.name) for field in fields(kind)}
            command(**values, given={name: value for name, value in found.items() if value not in (None, [])})

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]  # typer reads this
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
        return run

    return decorated


def preset_of(presets: Mapping[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """The settings of a preset; ValueError names those that there are."""
    if name not in presets:
        raise ValueError(f"no preset is called {quoted(name)}; there are: {', '.join(presets)}")
    return presets[name]


@contextmanager
def failing_in_words() -> Iterator[None]:
    """Errors of a run become one line and an exit code."""
    try:
        yield
    except ValueError as error:
        fail(error)
    except MemoryError as error:
        fail(f"there is not enough memory ({error}); give fewer games or a shorter horizon")
    except (OSError, PlotError) as error:
        fail(error, Exit.FAILED)
