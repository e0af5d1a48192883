"""The notebooks run without errors from beginning to end."""

from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS: Final = sorted(path.name for path in FOLDER.glob("*.ipynb"))
TIMEOUT_S: Final = 120


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook: Any = nbformat.read(FOLDER / name, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=TIMEOUT_S, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    assert any(output.output_type in ("stream", "execute_result") for output in cells[-1].outputs)
