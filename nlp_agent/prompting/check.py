"""Whether a language pack can be played with: everything in it is rendered and read once, so that nothing fails first
in a match.

Files that nothing looks for; lines as they will be said (by whom, with which slots, how others read them); and every
role × request × village × day rendered.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import chain, product
from pathlib import Path

from nlp_agent.belief.facts import SPOKEN, WORDED
from nlp_agent.errors import PackError, did_you_mean, nearest
from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.game.roles import VILLAGES
from nlp_agent.planning.advice import Advice, advice_shown
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.conversation import PromptRequest, Transcript, build_view, character_prompt
from nlp_agent.prompting.official import OfficialConversation, OfficialPrompts
from nlp_agent.prompting.pack import Pack, load_pack, shipped_packs
from nlp_agent.prompting.pack_file import empty_wordings, unfillable_lines, unknown_acts, unworded
from nlp_agent.prompting.pack_folder import files_of
from nlp_agent.prompting.problem import Check, Problem
from nlp_agent.prompting.prompt import Prompt, Style
from nlp_agent.prompting.sample_village import (
    VillageSize,
    sample_advice,
    sample_packets,
    sample_persona,
    sample_state,
    sample_talk_plan,
    state_when_asked,
)
from nlp_agent.prompting.view import View
from nlp_agent.protocol import TARGET_REQUESTS, Packet, Request, Role, Species
from nlp_agent.reading.statement import Statement
from nlp_agent.text.sentences import sentences_of
from nlp_agent.voice.character_sheet import make_character_sheet
from nlp_agent.voice.linebook import LineBook, Manner, Voice, every_option
from nlp_agent.voice.lines import Speaker
from nlp_agent.voice.persona import Persona

# --- Files of a pack that nothing looks for --------------------------------------------------------------------------


_DATA = ("pack.yml", "lines.yml", "reading.yml", "cast.yml")
_FOLDERS = ("roles", "advised", "guided", "chat")
_REFERENCE = re.compile(r"[\"']((?:[\w.-]+/)*[\w.-]+\.jinja)[\"']")


def unused_files(pack: Pack) -> Iterator[PackError]:
    """The pack's own files and folders that are never looked at, each with what may have been meant."""
    known = _known_templates().union(_named_in(pack.folder))
    for path in sorted(pack.folder.rglob("*")):
        parts = path.relative_to(pack.folder).parts
        if path.is_dir() or any(part.startswith((".", "_")) for part in parts):
            continue
        if fault := _file_fault(parts, known, pack):
            yield PackError(fault, file=str(path))


def _file_fault(parts: tuple[str, ...], known: frozenset[str], pack: Pack) -> str:
    *folders, name = parts
    if Path(name).suffix in (".yml", ".yaml"):
        return "" if name in _DATA and not folders else f"no such file is looked for: {did_you_mean(name, _DATA)}"
    if Path(name).suffix not in (".jinja", ".j2", ".jinja2"):
        return ""  # notes, licences, pictures
    if "/".join(parts) in known:
        return ""
    if folders and folders[0] not in _FOLDERS:
        return f"no such folder is looked into: {did_you_mean(folders[0], _FOLDERS)}"
    if "roles" in folders and (fault := _role_fault(folders[folders.index("roles") + 1 :], pack)):
        return fault
    return "" if name in known else f"no template of that name is looked for: {did_you_mean(name, sorted(known))}"


def _role_fault(below: list[str], pack: Pack) -> str:
    """What is wrong with the folder of a role. A role of somebody's own village has a name like those of the game."""
    if len(below) != 1:
        return "templates of a role stand in roles/<ROLE>/"
    role = below[0]
    roles = list(dict.fromkeys(map(str, [*ROLES, *pack.words.words.roles])))
    if role in roles:
        return ""
    if role != role.upper() or nearest(role, roles):
        return f"no role is called {role}: {did_you_mean(role.upper(), roles)}"
    return ""


@cache
def _known_templates() -> frozenset[str]:
    """The names of templates that are looked for in a pack: one for each request, and what the shipped ones use."""
    shipped = {path.name for folder in shipped_packs().values() for path in folder.rglob("*.jinja")}
    return frozenset(shipped | {f"{request.lower()}.jinja" for request in Request})


def _named_in(folder: Path) -> set[str]:
    """Templates that the pack's own templates ask for by name."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in files_of(folder, ".jinja"))
    return {name for text in texts for name in _REFERENCE.findall(text)}


# --- Lines of a pack, looked at as they will be said -----------------------------------------------------------------


_OF_ACTS = (
    *("name", "to", "reason", "deed", "role", "role_result", "old", "rival", "me", "dead", "count", "greeter"),
    *("partner", "other", "led", "rest", "case"),
)
"""Slots that the moment fills, see ``OwnWords``; ``{I}`` and the endings come from the voice."""
_OF_REASONS = ("name", "other", "me", "day", "when", "rest", "led", "case")
_SLOT = re.compile(r"\{([^{}]+)\}")
_CONSTANT = 0.7
"""Share of a voice's sentences below which it does not keep to one register; the shipped ones have .72 and more."""
_ENOUGH = 3
"""Lines of its own from which a voice is judged by these alone as well."""
_EXAMPLES = 2


def faulty_lines(pack: Pack) -> Iterator[PackError]:
    """Find voices without a first person, slots that nobody fills, and lines that are not read as what they mean."""
    file = str(pack.find("lines.yml"))
    for name, voice in pack.lines.voices.items():
        if not any(voice.me.values()):
            yield PackError(f"voices.{name}.me: no first person; {{I}} stays empty", file=file)
    for fault in chain(_empty_slots(pack.lines), _misread(pack)):
        yield PackError(fault, file=file)


def broken_registers(pack: Pack) -> Iterator[PackError]:
    """Voices that speak now in one register (polite, plain, rough), now in another; each with lines in the rarer
    one."""
    for name, voice in pack.lines.voices.items():
        lines = list(_lines(pack, name, voice))
        own = [line for line in lines if not line[0].startswith("acts")]
        for some in (lines, own if len(own) >= _ENOUGH else []):
            if found := _mixture([text for _, _, text in some], pack.lines):
                yield PackError(f"voices.{name}: {found}", file=str(pack.find("lines.yml")))
                break


def _mixture(texts: list[str], book: LineBook) -> str:
    said: dict[str, list[str]] = {}
    for sentence in chain.from_iterable(map(sentences_of, texts)):
        if register := register_of(sentence, book):
            said.setdefault(register, []).append(sentence.strip())
    counts = Counter({register: len(sentences) for register, sentences in said.items()})
    own = max(counts, key=lambda register: fitting_sentences(register, counts), default="")
    share = fitting_sentences(own, counts) / max(1, counts.total())
    if not counts or share >= _CONSTANT:
        return ""
    others = [text for register, sentences in said.items() if not _fits(own, register) for text in sentences]
    examples = " / ".join(dict.fromkeys([said[own][0], *others[:_EXAMPLES]]))
    return f"{share:.0%} of its sentences keep to one register; beside each other: {examples}"


def register_of(sentence: str, book: LineBook) -> str:
    """The register of a sentence, ``""`` when nothing marks it."""
    return next(
        (name for name, patterns in book.registers.items() if any(re.search(p, sentence) for p in patterns)), ""
    )


def fitting_sentences(own: str, registers: Counter[str]) -> int:
    """Sentences that fit a speaker of ``own``: of ``plain_rough`` those in it and those in ``plain``, its ground."""
    return sum(count for register, count in registers.items() if _fits(own, register))


def _fits(own: str, register: str) -> bool:
    return register in (own, own.partition("_")[0])


# --- slots ------------------------------------------------------------------------------------------------------


def _empty_slots(book: LineBook) -> Iterator[str]:
    somewhere = {"I", *(token for voice in book.voices.values() for token in voice.endings)}
    for act, lines in book.acts.items():
        yield from _unfilled(f"acts.{act}", lines, {*_OF_ACTS, *somewhere})
    for reason, lines in book.reasons.items():
        yield from _unfilled(f"reasons.{reason}", lines, {*_OF_REASONS, *somewhere})
    for key, one in book.small_talk.items():
        yield from _unfilled(f"small_talk.{key}", (*one.chat, *one.answer), {*_OF_ACTS, *somewhere})
    yield from _unfilled("joined", book.joined, {"reason", "also", *somewhere})
    for name, voice in book.voices.items():
        yield from _unfilled_part(f"voices.{name}", voice, {"I", *voice.endings})
    for name, habit in book.habits.items():
        yield from _unfilled_part(f"habits.{name}", habit, somewhere)


def _unfilled_part(where: str, part: Manner, own: set[str]) -> Iterator[str]:
    for act, lines in part.lines.items():
        yield from _unfilled(f"{where}.lines.{act}", lines, {*_OF_ACTS, *own})
    for reason, lines in part.reasons.items():
        yield from _unfilled(f"{where}.reasons.{reason}", lines, {*_OF_REASONS, *own})
    yield from _unfilled(f"{where}.openers", part.openers, own)
    yield from _unfilled(f"{where}.tails", (*part.tails, *part.barbs), own)


def _unfilled(where: str, lines: tuple[str, ...], known: set[str]) -> Iterator[str]:
    for line in lines:
        for slot in _SLOT.findall(line):
            if slot not in known and slot[:1].lower() + slot[1:] not in known:
                yield f"{where}: nothing fills {{{slot}}} in: {line} -- {did_you_mean(slot, sorted(known))}"


# --- reading ----------------------------------------------------------------------------------------------------


def _misread(pack: Pack) -> Iterator[str]:
    names = pack.words.sample.names[:5]
    seen: set[str] = set()
    for name, voice in pack.lines.voices.items():
        for where, act, text in _lines(pack, name, voice, lambda act: _meaning(act, names[1])):
            meant = _meaning(act, names[1])
            if meant is None or text in seen:
                continue
            seen.add(text)
            spoken = f"@{names[1]} {text}" if act.endswith("_you") else text
            try:
                said = pack.reading.read(spoken, names).statements
            except re.error:  # told by who looks at the patterns
                return
            if meant not in [replace(one, role="") if one.kind == "result" else one for one in said]:
                yield f"{where}: not read as {_meaning_in_words(meant)} by reading.yml: {text}"


def _meaning(act: str, name: str) -> Statement | None:
    """What a line of ``act`` binds its speaker to, if it does."""
    kind, *rest = act.split("_")
    if kind == "claim":
        role = next((part for part in rest if part in set(Role)), "")
        return Statement("claim", role=role) if role else None
    if act in ("confess", "confess_open"):
        return Statement("claim", role=Role.POSSESSED.value)
    if kind == "result":
        result = next((part for part in rest if part in set(Species)), "")
        return Statement("result", target=name, result=result) if result else None
    if kind in ("vote", "retract"):
        return Statement("vote", target=name)
    return Statement("attack", target=name) if kind == "attack" else None


def _meaning_in_words(meant: Statement) -> str:
    about = {"claim": f"to be {meant.role}", "result": f"that {meant.target} is {meant.result}"}
    return f"a {meant.kind} {about.get(meant.kind, f'for {meant.target}')}"


def _lines(
    pack: Pack, name: str, voice: Voice, wanted: Callable[[str], object] = bool
) -> Iterator[tuple[str, str, str]]:
    """(place, act, line as this voice says it) for all it may say of a ``wanted`` act; what cannot be filled is passed
    over."""
    names = pack.words.sample.names
    firsts = [first for group in voice.me.values() for first in group]
    endings = {token: forms[0] for token, forms in voice.endings.items() if forms}
    speaker = Speaker(pack.playbook, Persona(voice=name, me=firsts[0] if firsts else "", endings=endings))
    words = pack.language.words
    hunch = next(speaker.reasons("hunch", {"name": names[1]}, random.Random(1)), pack.words.sample.reason)
    slots = {
        **{"me": names[0], "name": names[1], "to": names[2], "rival": names[3], "dead": names[4], "old": names[4]},
        **{"greeter": names[3], "partner": names[2], "count": "3", "reason": hunch, "deed": hunch},
        **{"other": names[2], "led": names[3], "rest": names[4], "case": hunch},
        **{"role": words.role(Role.SEER), "role_result": words.result(Species.HUMAN)},
    }
    books = ((f"voices.{name}.lines", voice.lines), ("acts", pack.lines.acts))
    for place, book in books:
        for act, lines in book.items():
            for line in chain.from_iterable(map(every_option, lines)) if wanted(act) else ():
                if text := speaker.fill(line, slots):
                    yield f"{place}.{act}", act, text


# --- Every role × request × village × day rendered once, so that no template fails for the first time in a match -----


NEW_ROLE = "STRANGER"
"""A role no pack knows: villages with other roles exist, and must not stop a match."""
CUSTOM: Mapping[str, int] = {Role.VILLAGER: 3, Role.WEREWOLF: 3, Role.MEDIUM: 1, Role.POSSESSED: 2, NEW_ROLE: 2}
"""A village of no contest: no seer, two possessed, and the new role."""
_ALL: tuple[VillageSize, ...] = (*VILLAGES, CUSTOM)
_DAYS = (0, 1, 2)
LONGEST_PROMPT = 60_000
"""Characters; a prompt longer than this cannot be meant."""


STEPS = 5 + len(_ALL)
"""Steps of the whole check, of which each takes up to a second."""


def check_pack(
    pack: Pack,
    villages: tuple[VillageSize, ...] = _ALL,
    days: tuple[int, ...] = _DAYS,
    done: Callable[[], None] = lambda: None,
) -> list[PackError]:
    """Find all faults of a pack by rendering and reading it, each told once, with file and line. Empty: the pack is
    sound.

    ``done`` is called after each step.
    """
    return _each_once(_all_faults(pack, villages, days, done))


def look_over(pack: Pack, style: Style) -> list[PackError]:
    """Find the faults that a game in ``style`` would meet soon: questions and patterns, words, and the prompts of every
    role in a village of five on its second day. A fifth of a second, where :func:`check_pack` takes seconds.
    """
    return _each_once(
        chain(_question_faults(pack), _wording_faults(pack), _village_faults(pack, min(VILLAGES), (1,), style))
    )


def _each_once(found: Iterable[PackError]) -> list[PackError]:
    faults: dict[str, PackError] = {}
    for fault in found:
        faults.setdefault(str(fault), fault)
    return list(faults.values())


def _all_faults(
    pack: Pack, villages: tuple[VillageSize, ...], days: tuple[int, ...], done: Callable[[], None] = lambda: None
) -> Iterator[PackError]:
    for look in (_question_faults, _wording_faults, faulty_lines, unused_files, Pack.unseen):
        yield from look(pack)
        done()
    for village in villages:
        yield from _village_faults(pack, village, days)
        done()


def refresh(pack: Pack) -> PackError | None:
    """Take in a pack's changed files if they are sound; see :meth:`Pack.refresh`."""
    return pack.refresh(lambda fresh: next(_all_faults(fresh, (min(VILLAGES),), _DAYS), None))


def check_folder(
    name: str,
    official: OfficialPrompts | None = None,
    villages: tuple[VillageSize, ...] = _ALL,
    done: Callable[[], None] = lambda: None,
) -> list[PackError]:
    """Find all faults of the pack of that name or in that folder, those that keep it from being loaded included.

    ``official``: see :func:`load_pack`; ``done``: see :func:`check_pack`.
    """
    try:
        return check_pack(load_pack(name, official=official), villages, done=done)
    except PackError as error:
        return [error, *error.others]


_ASKED = (Request.TALK, Request.WHISPER, *sorted(TARGET_REQUESTS))
"""Requests for which each style has a template."""


def remarks(pack: Pack) -> list[PackError]:
    """List what could be better in a pack that can be played with."""
    return [*broken_registers(pack), *_replaced_by_plain(pack)]


def _replaced_by_plain(pack: Pack) -> Iterator[PackError]:
    """Requests for which a style has no template of its own in this pack, while it has those of other requests."""
    for style in (Style.ADVISED, Style.GUIDED):
        lacking = [name for request in _ASKED if not pack.has(name := f"{style}/{request.lower()}.jinja")]
        for name in lacking if len(lacking) < len(_ASKED) else ():
            plain = name.partition("/")[2]
            yield PackError(f"{name} is missing: a model in {style} style gets {plain} instead", file=str(pack.folder))


def _question_faults(pack: Pack) -> Iterator[PackError]:
    """Whether the questions between a seat's answers can be asked, and the patterns that read talk be compiled."""
    sample = pack.words.sample
    name, names = sample.names[0], sample.names
    if pack.has("reading.jinja"):
        yield from _faults(lambda: pack.reading_prompt([(name, text) for text in sample.talks], names))
    if pack.has("character.jinja"):
        state = sample_state(pack, min(VILLAGES), Role.VILLAGER, 0, Request.TALK)
        persona = sample_persona(pack, state)
        sheet = make_character_sheet(pack.playbook, persona, state.me)
        for style in Style:
            yield from _faults(partial(character_prompt, pack, state, persona, sheet, style))
    for check in Check:
        told = Problem(check, "", said=sample.talks[0], name=name, role=Role.SEER, result=Species.HUMAN)
        for style in Style:
            yield from _faults(partial(pack.retry_prompt, Prompt(()), told, names[1], names, style))
    try:
        for text in (*sample.talks, ""):
            pack.reading.read(text, names)
    except re.error as error:
        hint = f"{error} in the pattern {error.pattern!r:.200}"
        yield PackError(f"not a regular expression: {hint}", file=str(pack.folder / "reading.yml"))


def _faults(render: Callable[[], object]) -> Iterator[PackError]:
    try:
        render()
    except PackError as fault:
        yield fault


_MISSING = "copy the file from the pack this one began with, or name that pack in pack.yml under extends"


def _wording_faults(pack: Pack) -> Iterator[PackError]:
    """Whether every act of the plan has its words, and all words an act."""
    for name in ("lines.yml", "reading.yml"):
        if pack.find(name) is None:
            yield PackError(f"{name} is missing: {_MISSING}", file=str(pack.folder))
    lines, prompts = str(pack.find("lines.yml")), str(pack.find("pack.yml"))
    books = {"acts": pack.lines.acts}
    books |= {f"voices.{name}.lines": voice.lines for name, voice in pack.lines.voices.items()}
    books |= {f"habits.{name}.lines": habit.lines for name, habit in pack.lines.habits.items()}
    for where, book in books.items():
        yield from (PackError(fault, file=lines) for fault in unknown_acts(book, where))
    for act in unworded(pack.lines.acts) if pack.find("lines.yml") else ():
        yield PackError(f"acts.{act} is missing: the plan says such a thing", file=lines)
    yield from (PackError(fault, file=lines) for fault in unfillable_lines(pack.lines))
    acts = pack.words.prompt.acts
    for act in unworded(acts):
        yield PackError(f"prompt.acts.{act} is missing: the plan says such a thing", file=prompts)
    yield from (
        PackError(fault, file=prompts) for fault in (*unknown_acts(acts, "prompt.acts"), *empty_wordings(pack.words))
    )


def _requests(role: str) -> Iterator[Request]:
    yield Request.TALK
    yield Request.VOTE
    wolves = (Request.WHISPER, Request.ATTACK)
    night: dict[str, tuple[Request, ...]] = {
        Role.SEER: (Request.DIVINE,),
        Role.BODYGUARD: (Request.GUARD,),
        Role.WEREWOLF: wolves,
        # A village's own rules may give any night action to a role that is new to us.
        NEW_ROLE: (Request.DIVINE, Request.GUARD, *wolves),
    }
    yield from night.get(role, ())


def _village_faults(
    pack: Pack, village: VillageSize, days: tuple[int, ...], only: Style | None = None
) -> Iterator[PackError]:
    """Faults in the prompts of every role and day in ``village``, in all styles; in ``only`` one, briefly, if told."""
    seat = sample_state(pack, village, Role.VILLAGER, 0, Request.TALK)
    persona = sample_persona(pack, seat)
    sheet = make_character_sheet(pack.playbook, persona, seat.me)
    for role, day in product((*Role, NEW_ROLE), days):
        heard = tuple(sample_packets(pack, village, role, day))
        for request in _requests(role):
            if pack.official is not None:
                yield from _conversation_faults(pack.official, heard, request)
            state = state_when_asked(heard, request)
            bare = PromptRequest(request, plan=None, persona=persona, sheet=sheet)
            view = partial(build_view, state, pack=pack, transcript=Transcript(state))
            yield from _faults_of(pack, state, bare, view, only)


def _faults_of(
    pack: Pack, state: SeatState, bare: PromptRequest, view: Callable[[PromptRequest], View], only: Style | None
) -> Iterator[PackError]:
    """What fails in the prompts for the request of ``bare``, with each kind of plan and in all styles; with a plan and
    all advice where ``only`` one style is told."""
    request = bare.request
    choices = legal_targets(state, request) if request in TARGET_REQUESTS else ()
    everything = sample_advice(state, pack.words.sample.reason)
    styles = (
        (Style.DIRECTED, None),
        (Style.ADVISED, everything),
        (Style.ADVISED, Advice()),
        (Style.GUIDED, everything),
    )
    ways = list(product(_plans(pack, state, request), styles))
    if only is not None:
        ways = [(plan, way) for plan, way in ways if plan is not None and way[0] is only and way[1] != Advice()]
    for plan, (style, advice) in ways:
        asked = replace(bare, plan=plan, choices=choices, style=style, advice=advice)
        yield from _render_faults(pack, request, view(asked))
    certain = advice_shown(everything, "certain")
    less = replace(bare, choices=choices, style=Style.ADVISED, advice=certain, judged=False)
    yield from _render_faults(pack, request, view(replace(less, estimate=True, own_reading=pack.words.sample.reason)))
    yield from _render_faults(pack, request, view(replace(less, reads_first=True)))


def _render_faults(pack: Pack, request: Request, view: View) -> Iterator[PackError]:
    try:
        prompt = pack.render(request, view)
    except PackError:
        yield from pack.faults(request, view)
        return
    where = str(pack.folder)
    if not prompt.system or not prompt.user:
        yield PackError(f"{request} for {view.variant} renders to nothing", file=where)
    if sum(len(text) for _, text in prompt.messages) > LONGEST_PROMPT:
        yield PackError(f"{request} for {view.variant} renders to more than {LONGEST_PROMPT} characters", file=where)


def _conversation_faults(prompts: OfficialPrompts, packets: Iterable[Packet], request: Request) -> Iterator[PackError]:
    """A conversation in the manner of the official sample, up to ``request``."""
    state = SeatState()
    conversation = OfficialConversation(prompts, state)
    heard = list(packets)
    for packet in (*heard, Packet(request=Request.DAILY_FINISH, info=heard[-1].info)):
        state.apply(packet)
        yield from _faults(partial(conversation.hear, packet))
    try:
        prompt = conversation.prompt(request, "", {})
    except PackError as error:
        yield error
    else:
        if not prompt.user:
            yield PackError(f"chat: {request} for {state.role} renders to nothing", file=request.lower())


def _plans(pack: Pack, state: SeatState, request: Request) -> Iterator[TalkPlan | TargetPlan | None]:
    yield None
    if request in TARGET_REQUESTS:
        choices = legal_targets(state, request)
        yield TargetPlan(choices[0], choices)
    else:
        yield sample_talk_plan(pack, state)
        yield sample_talk_plan(pack, state, pretend=Role.SEER)


_TEMPLATES = ("system", "talk", "whisper", "vote", "divine", "guard", "attack")


def missing_parts(pack: Pack) -> list[str]:
    """List what a whole language pack has and this one lacks, one line each; what is there may still be faulty."""
    words, lines, reading = pack.words, pack.lines, pack.reading.rules
    lacking = [f"template {name}.jinja" for name in _TEMPLATES if not pack.has(f"{name}.jinja")]
    lacking += [f"words.roles.{role} in pack.yml" for role in ROLES if role not in words.words.roles]
    lacking += [f"words.results.{result} in pack.yml" for result in Species if result not in words.words.results]
    lacking += [] if len(words.sample.names) >= max(VILLAGES) else [f"sample.names in pack.yml: {max(VILLAGES)} names"]
    lacking += [] if lines.voices else ["voices in lines.yml"]
    lacking += [f"acts.{act} in lines.yml" for act in unworded(lines.acts)]
    lacking += [f"prompt.acts.{act} in pack.yml" for act in unworded(words.prompt.acts)]
    reasons = ("hunch", "good_feeling", "why_vote", "why_divine", *SPOKEN)
    lacking += [f"reasons.{reason} in lines.yml" for reason in reasons if not lines.reasons.get(reason)]
    lacking += [f"words.why.facts.{kind} in pack.yml" for kind in WORDED if kind not in words.words.why.facts]
    lacking += [f"{key} in reading.yml" for key in _READ if not getattr(reading, key, True)]
    return lacking


_READ = ("roles", "black", "white", "claims", "results", "votes", "suspects", "trusts", "asks", "question")
