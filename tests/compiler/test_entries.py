"""A kind's function is found where it may be, held to its manifest, and nowhere else is code of kinds run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grapharc.compiler.entries import load_entry, misfit
from grapharc.runtime.refusals import EntryError
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.offers import Kind
from grapharc.spec.types import INTEGER
from tests.by_hand import field, node

N = field("n", INTEGER)
SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"must": {}, "may": {}, "has": {"default": 1}},
    "required": ["must"],
}


def kind(entry: str = "", function: Callable[..., object] = print) -> Kind:
    """A kind with one port, and arguments that must, may and always do come."""
    made = node("k", function, [N], [N], schema=SCHEMA).offer.kind
    return replace(made, name="own.k", entry=entry or made.entry)


class Files:
    """A loader of files that are not there on disk."""

    def __init__(self, **texts: str) -> None:
        self.texts = {name.replace("__", "/").replace("_py", ".py"): text for name, text in texts.items()}

    def resolve(self, reference: str, beside: str) -> str:
        if reference.startswith(".."):
            raise OutsideProject(reference)
        return str(Path(beside).parent / reference)

    def load(self, path: str) -> bytes:
        if path not in self.texts:
            raise Unreadable(path, "no such file")
        return self.texts[path].encode()

    def shipped(self) -> Iterable[tuple[str, bytes]]:
        return ()


FITTING = "def go(*, n, must, may=None, has):\n    return {'n': n}\n"


def test_a_file_beside_the_manifest_is_loaded_and_its_folder_is_no_import_path() -> None:
    loaded = load_entry(kind("k.py:go"), Files(k_py=FITTING))
    assert loaded.function(n=3, must=1, has=1) == {"n": 3}
    assert not loaded.asynchronous
    assert not loaded.wants_context
    assert "k" not in sys.modules


def test_a_file_in_a_folder_below_and_one_that_changed_are_each_their_own() -> None:
    below = load_entry(kind("deep/k.py:go"), Files(deep__k_py=FITTING))
    assert below.function(n=1, must=1, has=1) == {"n": 1}
    changed = load_entry(kind("deep/k.py:go"), Files(deep__k_py=FITTING.replace("'n': n", "'n': -n")))
    assert changed.function(n=1, must=1, has=1) == {"n": -1}
    assert below.function(n=1, must=1, has=1) == {"n": 1}


def test_a_coroutine_and_a_context_are_noticed() -> None:
    loaded = load_entry(kind("k.py:go"), Files(k_py="async def go(*, ctx, **rest):\n    return {}\n"))
    assert (loaded.asynchronous, loaded.wants_context) == (True, True)


@pytest.mark.parametrize(
    ("entry", "text", "why"),
    [
        ("k.py", FITTING, "'package.module:function' or 'file.py:function' would be right"),
        ("k.py:", FITTING, "would be right"),
        ("k.py:gone", FITTING, "'gone' is no function of that module"),
        ("k.py:x", "x = 3", "'x' is no function of that module"),
        ("other.py:go", FITTING, "'other.py' cannot be read: no such file"),
        ("../k.py:go", FITTING, "'../k.py' lies outside the project"),
        ("k.py:go", "def go(:", "importing it raised SyntaxError"),
        ("k.py:go", "raise ValueError('at import')", "importing it raised ValueError: at import"),
        ("k.py:go", "import sys\nsys.exit(3)", "importing it raised SystemExit: 3"),
        ("k.py:go", "import no_such_module_anywhere", "module 'no_such_module_anywhere' is not installed"),
        ("no_such_package.module:go", "", "module 'no_such_package' is not installed"),
        ("json:no_such_function", "", "'no_such_function' is no function of that module"),
    ],
)
def test_what_cannot_be_loaded_is_said(entry: str, text: str, why: str) -> None:
    before = list(sys.path)
    with pytest.raises(EntryError) as caught:
        load_entry(kind(entry), Files(k_py=text))
    assert str(caught.value).startswith(f"kind 'own.k' cannot be loaded from '{entry}': ")
    assert why in str(caught.value)
    assert sys.path == before


def test_without_a_loader_there_are_no_files() -> None:
    with pytest.raises(EntryError, match="there is none"):
        load_entry(kind("k.py:go"), None)


def test_the_working_directory_is_never_on_the_import_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lurking_kinds.py").write_text("raise SystemError('ran')\n")
    (tmp_path / "helper_that_lurks.py").write_text("raise SystemError('ran')\n")
    monkeypatch.chdir(tmp_path)
    for entry in ("", str(tmp_path), "."):
        monkeypatch.setattr(sys, "path", [entry, *sys.path])
    with pytest.raises(EntryError, match="module 'lurking_kinds' is not installed"):
        load_entry(kind("lurking_kinds:go"), None)
    with pytest.raises(EntryError, match="module 'helper_that_lurks' is not installed"):
        load_entry(kind("k.py:go"), Files(k_py="import helper_that_lurks"))


def fits(*, n: int, must: int, may: int = 0, has: int) -> None: ...


def takes_all(**_: object) -> None: ...


def with_context(n: int, must: int, ctx: object, may: int = 0, has: int = 1, extra: int = 5) -> None: ...


@pytest.mark.parametrize(
    "function", [fits, takes_all, with_context, partial(fits)], ids=["fits", "takes_all", "with_context", "partial"]
)
def test_a_function_that_can_be_called_fits(function: Callable[..., object]) -> None:
    assert misfit(kind(), function) is None


def no_port(*, must: int, may: int = 0, has: int) -> None: ...


def no_argument(*, n: int, may: int = 0, has: int) -> None: ...


def wants_more(*, n: int, must: int, has: int, more: int, may: int = 0) -> None: ...


def wants_what_may_be_left_out(*, n: int, must: int, may: int, has: int) -> None: ...


def by_position(n: int, /, must: int, has: int, may: int = 0) -> None: ...


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (no_port, "it has no parameter 'n', which the kind gives it"),
        (no_argument, "it has no parameter 'must', which the kind gives it"),
        (wants_more, "parameter 'more' is neither a port nor an argument of the kind, and has no default"),
        (wants_what_may_be_left_out, "parameter 'may' needs a default: the argument may be left out"),
        (by_position, "parameter 'n' cannot be given by keyword"),
        (dict.fromkeys, "parameter 'iterable' cannot be given by keyword"),
        (type, "its parameters cannot be told"),
    ],
)
def test_a_function_that_cannot_be_called_is_refused_before_a_run(function: Any, why: str) -> None:
    assert misfit(kind(), function) == why
