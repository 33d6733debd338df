"""What a table may do to its guests on purpose, to find out what they can bear."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from nlp_agent.protocol import Packet

if TYPE_CHECKING:
    from nlp_agent.arena.guests import Guest


class Mischief:
    """The seam at which a table goes wrong. This class does nothing; ``nlp_agent.lab.faults`` has some that do.

    One object serves all guests of a table.
    """

    async def admits(self, guest: Guest) -> bool:
        """Whether ``guest``, which has told its name, may enter the waiting room; otherwise it is dropped."""
        return True

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        """What goes out in place of ``packet``, frame by frame."""
        return (packet.to_json(),)

    def gives_up(self, guest: Guest, packet: Packet) -> Awaitable[object] | None:
        """When this comes to its end before the answer to ``packet``, the table asks NAME. ``None``: in time."""
        return None

    async def afterwards(self, guest: Guest, packet: Packet) -> None:
        """Called when ``packet`` was delivered and, where a reply was due, answered."""
