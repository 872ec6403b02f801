"""A diagram in Graphviz's language goes in, laid out as an image it comes out, by whatever ``dot`` there is."""

from __future__ import annotations

import os
import shutil
import sysconfig
from itertools import islice
from subprocess import CalledProcessError
from typing import Literal, TypeAlias

from grapharc.project.errors import CannotStart

Image: TypeAlias = Literal["svg", "png", "pdf"]

HOW_TO_GET_ONE = (
    "pip install 'grapharc[render]' brings one, the package graphviz of most systems too; .dot and .mmd need none"
)


def laid_out(dot: str, image: Image) -> bytes:
    """Lay a diagram out. Raises CannotStart where there is no ``dot``, or none that can show every letter of it."""
    pure, system = _pure(), shutil.which("dot")
    if image != "svg" and pure is not None and (system is None or image == "png"):
        lost = _lost(dot, pure)
        if not lost:
            return _piped(dot, image, pure) if image == "png" else _page(dot, pure)
        if system is None:
            raise CannotStart(
                f"a .{image} by the 'dot' that is here cannot show {_named(lost)}, and no label is to be cut",
                "an .svg or .html shows every letter, and so do images by the package graphviz of most systems",
            )
        pure = None
    binary = system if image == "pdf" or pure is None else pure
    if binary is None:
        raise CannotStart(f"a .{image} needs Graphviz, and there is no 'dot' here", HOW_TO_GET_ONE)
    return _piped(dot, image, binary)


def _lost(dot: str, pure: str) -> list[str]:
    """Find characters that the ``dot`` of the extra has no letter for, the first few: it draws a box for each of them.

    It has a font of its own, of which it is asked: a character is lost that looks like one that no font has.
    """
    asked = sorted({character for character in dot if ord(character) > _LATIN})
    box = _letter(_NOBODYS, pure) if asked else b""
    return list(islice((character for character in asked if _letter(character, pure) == box), _TOLD))


_LATIN = 0xFF
_NOBODYS = "\ue000"
_TOLD = 3


def _letter(character: str, pure: str) -> bytes:
    node = f'shape=none fixedsize=true width=1 height=1 fontname=Arial label="{character}"'
    return _piped(f"graph {{ letter [{node}] }}", "png", pure)


def _named(characters: list[str]) -> str:
    return ", ".join(f"'{character}' (U+{ord(character):04X})" for character in characters)


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


def _page(dot: str, pure: str) -> bytes:
    """Make a PDF of one page, since the ``dot`` of the extra makes none itself.

    What turns an SVG into a page has letters of Western Europe alone: a diagram with others is put on it as an image.
    """
    from io import BytesIO

    try:
        from reportlab.graphics.renderPDF import drawToFile  # pyright: ignore[reportUnknownVariableType] -- its options are untyped
        from reportlab.lib.utils import ImageReader
        from reportlab.pdfgen.canvas import Canvas
        from svglib.svglib import svg2rlg
    except ImportError:
        raise CannotStart("a .pdf needs a 'dot' that makes one, and svglib is not here", HOW_TO_GET_ONE) from None
    page = BytesIO()
    if _is_western(dot):
        drawing = svg2rlg(BytesIO(_piped(dot, "svg", pure)))
        if drawing is None:
            raise CannotStart("Graphviz could not make a .pdf: svglib cannot read its SVG")
        drawToFile(drawing, page)
        return page.getvalue()
    image = ImageReader(BytesIO(_piped(dot.replace("{\n", f"{{\ngraph [dpi={_DPI}]\n", 1), "png", pure)))
    size = [pixels * 72 / _DPI for pixels in image.getSize()]
    canvas = Canvas(page, pagesize=(size[0], size[1]))
    canvas.drawImage(image, 0, 0, size[0], size[1])  # pyright: ignore[reportUnknownMemberType] -- its options are untyped
    canvas.save()
    return page.getvalue()


_DPI = 192


def _is_western(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
