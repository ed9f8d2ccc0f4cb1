"""The notebooks of the docs: clean files that run from the first cell to the last."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 60_000
SECONDS = 550  # that a cell may take: the first one to search a board has its code compiled


class HereManager(AsyncKernelManager):
    """Starts the kernel with the Python that runs the tests, whatever kernels this machine knows."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def kinds(notebook: Any) -> list[list[str]]:
    """What each cell has put out: text, or what can show it."""
    return [
        sorted(kind for each in cell.outputs for kind in each.get("data", {"stream": ""}))
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_there_are_three() -> None:
    names = [path.stem for path in NOTEBOOKS]
    assert names == ["compare_algorithms", "play_and_analyse", "train_an_agent"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_clean(path: Path) -> None:
    text = path.read_text()
    assert len(text) < MOST_BYTES
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert not any(cell.metadata for cell in notebook.cells)
    assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    for unwanted in (str(Path.home()), "/tmp/", "/home/", "Traceback", "Warning"):
        assert unwanted not in text


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_puts_out_what_it_shows(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    shown = kinds(notebook)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_manager_class=HereManager,
        coalesce_streams=True,
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute()
    assert kinds(notebook) == shown
    assert any(shown)
    assert not list(tmp_path.iterdir()), "it leaves nothing behind"
