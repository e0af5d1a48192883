"""A finished experiment that several tests use."""

import pytest

from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.play import on_threads, play_missing
from support.experiments import experiment


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> ExperimentFolder:
    folder = ExperimentFolder.begin(tmp_path_factory.mktemp("lab") / "whole", experiment())
    play_missing(folder, on_threads(2))
    return folder
