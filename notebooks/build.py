"""``python -m notebooks.build``: run the notebooks again, in place, and keep their outputs."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from winterkingdom_env.core.files import write_whole

FOLDER = Path(__file__).parent
NAMES = ("quickstart", "train_and_evaluate", "tournament", "reading_a_benchmark")
SECONDS = 1800  # for one cell
MOST_BYTES = 1_000_000  # of a saved notebook
FOLDERS = r"/(?:tmp|home|root|Users|private|var)\b[^\s\"'<]*|[A-Za-z]:\\\\?Users\b"
PICTURES = ("image/png", "image/jpeg")  # base64: chance matches in it do not count
EPILOG = """examples:
  python -m notebooks.build
  python -m notebooks.build quickstart --budget small --out copies
"""


def execute(path: Path, budget: str = "full") -> Any:
    """The notebook with the outputs of a new run. Raises nbclient's CellExecutionError if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(FOLDER)}},
    )
    client.execute(env=os.environ | {"NOTEBOOK_BUDGET": budget})
    return notebook


def clean(notebook: Any) -> None:
    """Remove output that depends on the machine and does not help a reader: warnings, progress, the kernel's name."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
            cell.metadata = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


def texts(notebook: Any) -> list[str]:
    """All text in the outputs."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    found = [str(output.get("text", "")) + "\n".join(output.get("traceback", ())) for output in outputs]
    for output in outputs:
        found += [str(part) for kind, part in output.get("data", {}).items() if kind not in PICTURES]
    return found


def traces(notebook: Any) -> list[str]:
    """Names of folders and of the host in the outputs, which must not be there."""
    pattern = re.compile(rf"{FOLDERS}|\b{re.escape(socket.gethostname())}\b")
    return [trace for text in texts(notebook) for trace in pattern.findall(text)]


def build(path: Path, out: Path, budget: str) -> None:
    """Run one notebook and save it to a folder. Raises ValueError, and saves nothing, if the outputs reveal the machine or are too large."""
    notebook = execute(path, budget)
    clean(notebook)
    content = nbformat.writes(notebook) + "\n"
    if found := traces(notebook):
        raise ValueError(f"{path.name}: the outputs name folders or hosts of this machine: {', '.join(found)}")
    if len(content) > MOST_BYTES:
        raise ValueError(f"{path.name}: {len(content):,} bytes, the limit is {MOST_BYTES:,}; draw smaller pictures")
    write_whole(out / path.name, content)


def main(arguments: list[str] | None = None) -> int:
    """Run the given notebooks and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m notebooks.build",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Run notebooks and keep their outputs.",
        epilog=EPILOG,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)}; none: all")
    parser.add_argument("--budget", choices=("full", "small"), default="full", help="how much is computed (full)")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="where they are saved (in place)")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in NAMES:
            parser.error(f"{name!r} is not a notebook; the notebooks are: {', '.join(NAMES)}")
    for name in options.names or NAMES:
        began = time.monotonic()
        build(FOLDER / f"{name}.ipynb", options.out, options.budget)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
