"""Experiments on a local Ray cluster with several processes."""

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jantaku import load
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.live import summaries
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.play import on_threads, play_missing
from jantaku.lab.experiment.rows import compared_rows

ray: Any = pytest.importorskip("ray", reason="Ray is an extra: pip install 'jantaku[ray]'")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not COMPILED, reason="uncompiled, the games would take an hour"),
]


def experiment() -> Experiment:
    pair = (NamedRules("tenhou", load("tenhou")), NamedRules("bgm", load("bgm-2025")))
    return Experiment(pair, ("standard",), 2_000, 5, portion=100)


def files(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def workers() -> list[int]:
    """Return the ids of the processes that are playing portions."""
    workers = []
    for entry in Path("/proc").iterdir():
        try:
            title = (entry / "cmdline").read_text() if entry.name.isdigit() else ""
        except OSError:
            continue
        if title.startswith("ray::") and "_play_remotely" in title:
            workers.append(int(entry.name))
    return workers


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the workers in /proc")
def test_a_cluster_with_a_killed_worker_writes_the_same_bytes(tmp_path: Path) -> None:
    """Four Ray processes, one of them killed during a portion, write the same files as one thread."""
    from jantaku.lab.experiment.on_ray import on_ray

    killed: list[int] = []

    def kill() -> None:
        while not (threads := workers()):
            time.sleep(0.05)
        time.sleep(0.3)
        os.kill(threads[0], signal.SIGKILL)
        killed.append(threads[0])

    folder = ExperimentFolder.begin(tmp_path / "ray", experiment())
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    progress: list[object] = []
    played = play_missing(folder, on_ray("ray", 4), progress.append)
    killer.join(timeout=1)
    assert killed, "no worker was found to kill"
    assert played.games == played.wanted == 4_000
    assert progress[-1] == played
    alone = ExperimentFolder.begin(tmp_path / "alone", experiment())
    play_missing(alone, on_threads(1))
    assert files(folder.path) == files(alone.path)


def test_a_cluster_yields_the_summary_of_one_thread() -> None:
    """The summaries are computed without a folder, as for questions from the browser."""
    from jantaku.lab.experiment.on_ray import on_ray

    plan = replace(experiment(), games=160)
    *_, shared = summaries(plan, on_ray("ray", 2), 64)
    *_, alone = summaries(plan, step=64)
    assert shared.games == alone.games == 160
    assert compared_rows(shared) == compared_rows(alone)


@pytest.mark.filterwarnings("ignore:Ray Client connection timed out")
def test_an_address_without_a_cluster_is_refused(tmp_path: Path) -> None:
    from jantaku.lab.experiment.on_ray import on_ray

    folder = ExperimentFolder.begin(tmp_path / "x", experiment())
    with pytest.raises(RequestError) as error:
        play_missing(folder, on_ray("ray://127.0.0.1:9"))
    assert error.value.code == "ray_unreachable"
    assert len(folder.missing()) == 40


def test_a_machine_with_other_code_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers compare the hash of their code with that of the caller, which this test replaces."""
    from jantaku.lab.experiment import on_ray as module

    folder = ExperimentFolder.begin(tmp_path / "x", experiment())
    monkeypatch.setattr(module, "source_hash", lambda _: "0" * 16)
    with pytest.raises(RequestError) as error:
        play_missing(folder, module.on_ray("ray", 1))
    assert error.value.code == "ray_other_version"
    assert len(folder.missing()) == 40
