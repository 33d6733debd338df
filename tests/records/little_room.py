"""A disk that becomes full."""

from __future__ import annotations

import errno
import io


class LittleRoom(io.RawIOBase):
    """Takes three bytes at a time, and ``room`` of them at all."""

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, b""

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return 0

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        part = bytes(data[: min(3, self.room - len(self.taken))])
        if not part:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.taken += part
        return len(part)
