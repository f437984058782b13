"""The notebooks run from top to bottom, and those that are kept show what they should and nothing of the machine they ran on."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MODULES = ("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib", "PIL", "torch", "safetensors", "choix", "scipy")
if missing := [module for module in MODULES if find_spec(module) is None]:
    install = 'pip install -c constraints.txt -e ".[notebooks]"'
    pytest.skip(f"not installed: {', '.join(missing)}; {install}", allow_module_level=True)

import nbformat  # skipped above if it is not there

from notebooks.build import FOLDER, MOST_BYTES, NAMES, build, main, traces  # needs nbformat


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("name", NAMES)
def test_notebook__runs_with_a_small_budget(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    before = sorted(FOLDER.iterdir())
    build(FOLDER / f"{name}.ipynb", tmp_path / "out", "small")
    made = nbformat.read(tmp_path / "out" / f"{name}.ipynb", as_version=4)
    assert any("image/png" in output.get("data", {}) for output in outputs(made))
    assert sorted(FOLDER.iterdir()) == before, "a notebook leaves nothing behind"
    assert not list(scratch.glob("tmp*")), "nor in the folder for temporary files"


@pytest.mark.parametrize("name", NAMES)
def test_kept_notebook__has_outputs_without_errors_noise_or_traces_of_a_machine(name: str) -> None:
    path = FOLDER / f"{name}.ipynb"
    assert path.stat().st_size < MOST_BYTES
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "run it as a whole"
    found = outputs(notebook)
    assert sum("image/png" in output.get("data", {}) for output in found) >= 3
    assert not [output for output in found if output.output_type == "error" or output.get("name") == "stderr"]
    assert not traces(notebook)


def test_list_of_notebooks__is_whole() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize(
    "text", ["saved to /tmp/x", "/home/me/run", "'/root/.cache'", "file:///Users/me", "C:\\Users\\me", "in /var/run."]
)
def test_traces__are_found(text: str) -> None:
    output = nbformat.v4.new_output("stream", text=text)
    assert traces(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[output])]))


@pytest.mark.parametrize("text", ["30/tmpl", "1/2 of the work", "steps/s", "https://example.org/a/b"])
def test_traces__other_slashes_are_fine(text: str) -> None:
    output = nbformat.v4.new_output("stream", text=text)
    assert not traces(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[output])]))


def test_build__a_notebook_that_names_a_folder_is_not_kept(tmp_path: Path) -> None:
    source = tmp_path / "leaks.ipynb"
    cell = nbformat.v4.new_code_cell("print('/tmp' + '/secret')")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), source)
    with pytest.raises(ValueError, match="/tmp/secret"):
        build(source, tmp_path / "out", "small")
    assert not (tmp_path / "out").exists()


def test_build__wrong_use_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["no_such_notebook"])
    assert stop.value.code == 2
    assert "quickstart" in capsys.readouterr().err


def test_build__help_has_two_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.split("examples:")[1].count("python -m notebooks.build") == 2
