"""A diagram in Graphviz's language goes in, laid out as an image it comes out, by whatever ``dot`` there is."""

from __future__ import annotations

import os
import shutil
import sysconfig
from subprocess import CalledProcessError
from typing import Literal, TypeAlias

from grapharc.project.errors import CannotStart

Image: TypeAlias = Literal["svg", "png", "pdf"]

HOW_TO_GET_ONE = (
    "pip install 'grapharc[render]' brings one, the package graphviz of most systems too; .dot and .mmd need none"
)


def laid_out(dot: str, image: Image) -> bytes:
    """Lay a diagram out. Raises CannotStart where there is no ``dot``, or none that makes such an image."""
    pure, system = _pure(), shutil.which("dot")
    if image == "pdf" and system is None and pure is not None:
        return _pdf(_piped(dot, "svg", pure))
    binary = system if image == "pdf" or pure is None else pure
    if binary is None:
        raise CannotStart(f"a .{image} needs Graphviz, and there is no 'dot' here", HOW_TO_GET_ONE)
    return _piped(dot, image, binary)


def _pure() -> str | None:
    """The ``dot`` of the extra ``render``, which draws the same on every machine."""
    here = os.path.join(sysconfig.get_path("scripts"), "graphviz-pure")
    return here if os.path.isfile(here) else shutil.which("graphviz-pure")


def _piped(dot: str, image: Image, binary: str) -> bytes:
    import graphviz
    from graphviz.backend import dot_command

    dot_command.DOT_BINARY = binary
    try:
        return graphviz.Source(dot).pipe(format=image, quiet=True)
    except graphviz.ExecutableNotFound:
        raise CannotStart(f"'{binary}' cannot be started", HOW_TO_GET_ONE) from None
    except CalledProcessError as error:
        said = (error.stderr or b"").decode("utf-8", "replace").strip().splitlines()
        raise CannotStart(f"Graphviz could not make a .{image}: {said[-1] if said else 'it said nothing'}") from None


def _pdf(svg: bytes) -> bytes:
    """Turn an SVG into a page of its size, since the ``dot`` of the extra makes no PDF itself."""
    from io import BytesIO

    try:
        from reportlab.graphics.renderPDF import drawToFile  # pyright: ignore[reportUnknownVariableType] -- its options are untyped
        from svglib.svglib import svg2rlg
    except ImportError:
        raise CannotStart("a .pdf needs a 'dot' that makes one, and svglib is not here", HOW_TO_GET_ONE) from None
    drawing = svg2rlg(BytesIO(svg))
    if drawing is None:
        raise CannotStart("Graphviz could not make a .pdf: svglib cannot read its SVG")
    page = BytesIO()
    drawToFile(drawing, page)
    return page.getvalue()
