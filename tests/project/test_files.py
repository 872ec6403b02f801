"""The loader gives documents of the project folder and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grapharc.project.disk import MOST
from grapharc.project.files import STDIN, DiskLoader
from grapharc.spec.loader import OutsideProject, Unreadable


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "kinds").mkdir(parents=True)
    (root / "graph.toml").write_text("name = 'x'")
    (root / "kinds" / "triage.toml").write_text("kind")
    (tmp_path / "secret.toml").write_text("password")
    return root


def test_a_reference_is_resolved_beside_its_document(project: Path) -> None:
    loader = DiskLoader(str(project))
    assert loader.resolve("kinds/triage.toml", "registry.toml") == "kinds/triage.toml"
    assert loader.resolve("../graph.toml", "kinds/triage.toml") == "graph.toml"
    assert loader.load("kinds/triage.toml") == b"kind"


@pytest.mark.parametrize("reference", ["../secret.toml", "/etc/passwd", "kinds/../../secret.toml"])
def test_a_reference_out_of_the_project_is_refused(project: Path, reference: str) -> None:
    with pytest.raises(OutsideProject, match="lies outside the project"):
        DiskLoader(str(project)).resolve(reference, "graph.toml")


def test_a_link_out_of_the_project_is_refused_wherever_it_is_named(project: Path) -> None:
    (project / "link.toml").symlink_to(project.parent / "secret.toml")
    (project / "up").symlink_to(project.parent)
    loader = DiskLoader(str(project), named=[str(project / "link.toml"), str(project / "up" / "secret.toml")])
    for reference in ("link.toml", "up/secret.toml"):
        with pytest.raises(OutsideProject):
            loader.resolve(reference, "graph.toml")
        with pytest.raises(OutsideProject):
            loader.load(reference)


def test_a_link_that_changes_after_it_was_resolved_is_refused(project: Path) -> None:
    loader = DiskLoader(str(project))
    path = loader.resolve("kinds/triage.toml", "graph.toml")
    (project / "kinds" / "triage.toml").unlink()
    (project / "kinds" / "triage.toml").symlink_to(project.parent / "secret.toml")
    with pytest.raises(OutsideProject):
        loader.load(path)


def test_a_sibling_whose_name_begins_alike_is_outside(project: Path) -> None:
    (project.parent / "project2").mkdir()
    (project.parent / "project2" / "x.toml").write_text("")
    with pytest.raises(OutsideProject):
        DiskLoader(str(project)).resolve("../project2/x.toml", "graph.toml")


def test_a_named_document_outside_is_given_and_its_own_folder_with_it(project: Path) -> None:
    platform = project.parent / "platform"
    (platform / "kinds").mkdir(parents=True)
    (platform / "registry.toml").write_text("use")
    (platform / "kinds" / "own.toml").write_text("own")
    loader = DiskLoader(str(project), named=[str(platform / "registry.toml")])
    shown = loader.path_of(str(platform / "registry.toml"))
    assert shown == "../platform/registry.toml"
    assert loader.load(shown) == b"use"
    assert loader.resolve("kinds/own.toml", shown) == "../platform/kinds/own.toml"
    assert loader.load("../platform/kinds/own.toml") == b"own"
    with pytest.raises(OutsideProject):
        loader.resolve("../secret.toml", shown)
    with pytest.raises(OutsideProject):
        loader.resolve("../platform/registry.toml", "graph.toml")


def test_a_project_that_is_reached_by_a_link_is_itself(project: Path) -> None:
    link = project.parent / "link"
    link.symlink_to(project)
    loader = DiskLoader(str(link))
    assert loader.path_of(str(link / "graph.toml")) == "graph.toml"
    assert loader.path_of(str(project / "graph.toml")) == "graph.toml"
    assert DiskLoader(str(project)).path_of(str(link / "graph.toml")) == "graph.toml"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("absent.toml", "no such file or directory"),
        ("kinds", "is not a file|is a directory"),
        ("a\0b", "NUL"),
        ("x" * 300, "too long"),
    ],
)
def test_what_cannot_be_read_says_why(project: Path, path: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        DiskLoader(str(project)).load(DiskLoader(str(project)).resolve(path, "graph.toml"))


def test_a_named_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe.toml")
    with pytest.raises(Unreadable, match="is not a file"):
        DiskLoader(str(project)).load("pipe.toml")


def test_no_more_is_read_than_tells_that_it_is_too_large(project: Path) -> None:
    with (project / "large.toml").open("wb") as file:
        file.truncate(MOST * 3)
    assert len(DiskLoader(str(project)).load("large.toml")) == MOST


def test_standard_input_stands_in_the_project_folder(project: Path) -> None:
    loader = DiskLoader(str(project), stdin=b"{}")
    assert loader.load(STDIN) == b"{}"
    assert loader.resolve("kinds/triage.toml", STDIN) == "kinds/triage.toml"


def test_shipped_manifests_come_by_path_and_no_project_can_take_their_place(project: Path) -> None:
    loader = DiskLoader(str(project))
    shipped = list(loader.shipped())
    assert [path for path, _ in shipped] == sorted(path for path, _ in shipped)
    for path, data in shipped:
        assert loader.load(path) == data
        with pytest.raises((Unreadable, OutsideProject)):
            loader.load(loader.resolve(f"./{path}", "graph.toml"))
