"""Our own code going wrong: packs, plans, models and strategies that fail now and then, or never return."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from nlp_agent.app.wiring.team import Team
from nlp_agent.app.wiring.warm_up import warm_up_pack
from nlp_agent.arena.cast import LANGUAGES, load_cast
from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Answer, Model, Question
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.detect_language import shipped_scripts
from tests.faults.endpoint import Endless


class PlantedError(RuntimeError):
    """The failure that was meant."""


class FailureCounter:
    """Fails every ``every``-th time."""

    def __init__(self, every: int) -> None:
        self._every, self._times = every, 0
        self.failures = 0

    def maybe(self, where: str) -> None:
        self._times += 1
        if self._times % self._every == 0:
            self.failures += 1
            raise PlantedError(f"a failure was planted in {where}")


class _Brittle:
    """Stands in for ``thing``; reading an attribute in ``broken`` (all, when empty) may fail."""

    def __init__(
        self, thing: object, counter: FailureCounter, broken: frozenset[str], replaced: dict[str, Any]
    ) -> None:
        self._thing, self._counter, self._broken, self._replaced = thing, counter, broken, replaced

    def __getattr__(self, name: str) -> Any:
        if not self._broken or name in self._broken:
            self._counter.maybe(name)
        return self._replaced.get(name, getattr(self._thing, name))


class _BrittleModel:
    def __init__(self, model: Model, counter: FailureCounter) -> None:
        self._model, self._counter = model, counter

    async def warm(self) -> None:
        await self._model.warm()

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        self._counter.maybe("the model")
        return await self._model.ask(ask, deadline)

    async def aclose(self) -> None:
        await self._model.aclose()


TeamMaker = Callable[..., Team]

shared_cast = cache(load_cast)


@cache
def shared_pack(name: str) -> Pack:
    """The pack, warm: at tables that wait for a second, a seat's first talk must not pay for all that is made once."""
    pack = load_pack(name)
    warm_up_pack(pack)
    return pack


def warm_up() -> None:
    """Load what all trials of this process share, before any of them counts seconds."""
    for language in shipped_scripts():
        shared_pack(language)
    for language in LANGUAGES:
        shared_cast(language)


class SharingTeam(Team):
    """Shares its packs with all trials of this process: loading them would make others' answers late."""

    def load_pack(self, name: str) -> Pack:
        return shared_pack(name)


class EndlessTeam(SharingTeam):
    """Decides by a strategy that does not come back from some questions before all games are over."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._strategy = Endless
        Endless.over.clear()
        Endless.struck = 0

    async def aclose(self) -> None:
        Endless.over.set()
        await super().aclose()


def brittle_team(part: str, counter: FailureCounter) -> TeamMaker:
    """A team whose ``part`` fails by ``counter``: model, prompt, cleaning, mind, or everything; or one that decides by
    an endless strategy.
    """
    if part == "endless-strategy":
        return EndlessTeam
    everything = part == "everything"

    class BrittleTeam(SharingTeam):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            if self.model is not None and (part == "model" or everything):
                self.model = cast("Any", _BrittleModel(self.model, counter))

        def _pack_for(self, seat: str, state: SeatState) -> Pack:
            pack = super()._pack_for(seat, state)
            broken = {"prompt": {"render"}, "cleaning": {"language"}}.get(part, set())
            if everything:
                broken = {"render", "language"}
            replaced = {}
            if part == "mind" or everything:
                replaced["playbook"] = _Brittle(pack.playbook, counter, frozenset(), {})
            return cast("Pack", _Brittle(pack, counter, frozenset(broken or {""}), replaced))

    return BrittleTeam
