"""A picture of a page with at most 256 colours: half as large, and no eye sees it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"\x89PNG\r\n\x1a\n"
_COLOURS = 256
_CHANNELS = {2: 3, 6: 4}
"""Colour type -> bytes of a pixel; others are left as they are."""
Bytes = NDArray[np.uint8]


def smaller(png: bytes) -> bytes:
    """``png`` with its most frequent colours, every other pixel in the nearest of them."""
    chunks = dict[bytes, bytes]()
    for name, data in _chunks(png):
        chunks[name] = chunks.get(name, b"") + data
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    if depth != 8 or kind not in _CHANNELS:
        return png
    pixels = _pixels(zlib.decompress(chunks[b"IDAT"]), width, height, _CHANNELS[kind])[:, :, :3]
    palette, places = _quantised(pixels.reshape(-1, 3))
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each begins with the number of its filter: none
    rows[:, 1:] = places.reshape(height, width)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return _MAGIC + b"".join(_chunk(name, data) for name, data in parts)


def _quantised(pixels: Bytes) -> tuple[Bytes, Bytes]:
    """The palette, and of each pixel its place there."""
    codes = pixels.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    found, back, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = found[np.argsort(-counts, kind="stable")[:_COLOURS]]
    colours, palette = (np.stack([c >> 16, (c >> 8) & 255, c & 255], axis=1).astype(np.int32) for c in (found, kept))
    nearest = ((colours[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
    return palette.astype(np.uint8), nearest.astype(np.uint8)[back.reshape(-1)]


def _pixels(raw: bytes, width: int, height: int, step: int) -> Bytes:
    """The filters of the PNG format undone, row by row."""
    length = width * step
    before, rows = bytearray(length), []
    for number in range(height):
        start = number * (length + 1)
        row = bytearray(raw[start + 1 : start + 1 + length])
        _undo(raw[start], row, before, step)
        rows.append(bytes(row))
        before = row
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(height, width, step)


def _undo(kind: int, row: bytearray, above: bytearray, step: int) -> None:
    for at in range(len(row) if kind else 0):
        left, up = (row[at - step] if at >= step else 0), above[at]
        corner = above[at - step] if at >= step else 0
        guess = {1: left, 2: up, 3: (left + up) // 2}.get(kind)
        row[at] = (row[at] + (_paeth(left, up, corner) if guess is None else guess)) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_MAGIC)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
