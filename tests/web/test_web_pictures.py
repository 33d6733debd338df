"""The pictures in README and docs are small, and there."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.web.screenshots import FOLDER, LARGEST, NAMES
from tests.web.smaller import smaller


@pytest.mark.parametrize("name", NAMES)
def test_each_picture_is_there_and_small(name: str) -> None:
    """``make screenshots`` makes them again."""
    assert 10_000 < (FOLDER / f"{name}.png").stat().st_size <= LARGEST


def test_a_picture_with_fewer_colours_looks_the_same(page: Page, tmp_path: Path) -> None:
    """Size and colours stay; where there are no more than 256 of them, to the last bit."""
    page.set_content("<body style='margin:0'><div style='background:#2b4f8f;width:30px;height:20px'></div></body>")
    page.set_viewport_size({"width": 40, "height": 30})
    before = page.screenshot()
    after = smaller(before)
    assert struct.unpack(">II", after[16:24]) == (40, 30)
    at = after.index(b"PLTE")
    (length,) = struct.unpack(">I", after[at - 4 : at])
    palette = after[at + 4 : at + 4 + length]
    colours = {palette[n : n + 3] for n in range(0, length, 3)}
    assert colours == {bytes.fromhex("2b4f8f"), bytes.fromhex("ffffff")}
    start = after.index(b"IDAT")
    (size,) = struct.unpack(">I", after[start - 4 : start])
    rows = zlib.decompress(after[start + 4 : start + 4 + size])
    assert rows.count(palette.index(bytes.fromhex("2b4f8f")) // 3, 1, 41) == 30
    assert smaller(after) == after, "a picture with a palette is left as it is"
