"""Tables that change what their packets hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nlp_agent.lab.faults.table import Disturbance, changed
from nlp_agent.protocol import Packet

if TYPE_CHECKING:
    from nlp_agent.arena.guests import Guest


class Rewriting(Disturbance):
    """Every packet of ``requests`` goes through ``change``."""

    def __init__(
        self, change: Callable[[dict[str, Any]], None], requests: Callable[[Packet], bool] = lambda _: True
    ) -> None:
        super().__init__()
        self._change, self._requests = change, requests

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if not self._requests(packet):
            return (packet.to_json(),)
        self.done += 1
        return changed(packet, self._change)


def null_lists(data: dict[str, Any]) -> None:
    """Lists that are empty, or could be there, are null."""
    info = data.setdefault("info", {})
    for holder, keys in (
        (data, ("talk_history", "whisper_history")),
        (info, ("vote_list", "attack_vote_list", "medium_result", "divine_result", "profile")),
    ):
        for key in keys:
            if not holder.get(key):
                holder[key] = None


def omit_optional(data: dict[str, Any]) -> None:
    """Whatever a server may leave out is missing; what happened is told by the talk alone."""
    for key in ("profile", "vote_list", "attack_vote_list", "executed_agent", "attacked_agent", "remain_length"):
        data.get("info", {}).pop(key, None)
    if not data.get("whisper_history"):
        data.pop("whisper_history", None)
    setting = data.get("setting", {})
    for key in ("max_day", "vote_visibility", "attack_vote", "whisper", "role_num_map"):
        setting.pop(key, None)


def unknown_fields(data: dict[str, Any]) -> None:
    data |= {"weather": {"sky": [None, 1.5]}, "new_in_2027": True}
    for key in ("info", "setting"):
        if key in data:
            data[key] |= {"mood": "dark", "nested": {"a": [{"b": None}]}}
    for talk in data.get("talk_history", ()):
        talk["emotion"] = 7


def wrong_types(data: dict[str, Any]) -> None:
    """Fields of the wrong shape, none of them one that the answer needs."""
    data["whisper_history"] = "none"
    info = data.get("info", {})
    info |= {"vote_list": {"a": 1}, "medium_result": [], "executed_agent": 17, "profile": ["x"]}
    if "setting" in data:
        data["setting"]["max_day"] = "many"


def no_info(data: dict[str, Any]) -> None:
    """As the packets of a phase were on the earliest servers."""
    data.pop("info", None)


def no_counts(data: dict[str, Any]) -> None:
    """Nothing tells how much may still be said."""
    for key in ("remain_count", "remain_length", "remain_skip"):
        data.get("info", {}).pop(key, None)
    for key in ("talk", "whisper"):
        data.get("setting", {}).get(key, {}).pop("max_count", None)
