"""The shipped packs, for what holds in every language, and what a model is asked by them."""

from __future__ import annotations

import pytest

from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Pack, Prompt, PromptRequest, Style, build_view, load_pack
from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.prompting.sample_village import sample_persona
from nlp_agent.protocol import TARGET_REQUESTS, Request

PACKS = {name: load_pack(name) for name in shipped_packs()}
every_pack = pytest.mark.parametrize("pack", PACKS.values(), ids=list(PACKS))


def asked(
    pack: Pack,
    state: SeatState,
    request: Request,
    plan: TalkPlan | TargetPlan | None = None,
    *,
    style: Style = Style.ADVISED,
    advice: Advice | None = None,
    reads_first: bool = False,
) -> Prompt:
    """The prompt for ``request`` of a seat of the sample village."""
    wanted = PromptRequest(
        request,
        plan=plan,
        persona=sample_persona(pack, state),
        choices=legal_targets(state, request) if request in TARGET_REQUESTS else (),
        style=style,
        advice=advice,
        reads_first=reads_first,
    )
    return pack.render(request, build_view(state, wanted, pack=pack))
