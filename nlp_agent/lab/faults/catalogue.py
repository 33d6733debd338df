"""All faults by name: what goes wrong, where, and what is expected of a seat. Data only."""

from __future__ import annotations

from difflib import get_close_matches

from nlp_agent.errors import ConfigError
from nlp_agent.lab.faults.attacks import HOSTILE
from nlp_agent.lab.faults.kinds import (
    ALWAYS,
    RETRIED,
    WAITING,
    Expect,
    Fault,
    Strikes,
    Talks,
    Where,
    at_endpoint,
    at_table,
)

FAULTS: tuple[Fault, ...] = (
    *at_endpoint(
        WAITING,
        Expect.TOLD,
        ("hang-before-headers", "the endpoint accepts the request and says nothing"),
        ("hang-after-headers", "HTTP 200, then nothing"),
        ("hang-mid-stream", "a stream stops in mid sentence, the connection stays open"),
    ),
    *at_endpoint(
        WAITING,
        Expect.LEGAL,
        ("hang-after-sentence", "a stream stops after a whole sentence and a bit"),
        ("drip", "one byte a second"),
    ),
    *at_endpoint(
        RETRIED,
        Expect.TOLD,
        ("cut-at-once", "the connection ends where the body should begin"),
        ("cut-mid-stream", "the connection ends in mid sentence"),
        ("cut-mid-event", "the connection ends in the middle of an event"),
        ("408", "HTTP 408"),
        ("429", "HTTP 429 without a time to wait"),
        ("429-wait-5", "HTTP 429, Retry-After: 5"),
        ("429-wait-120", "HTTP 429, Retry-After: 120"),
        ("500", "HTTP 500"),
        ("502-html", "HTTP 502 with a page of HTML"),
        ("503", "HTTP 503"),
        ("not-json", "HTTP 200 with HTML where JSON should be"),
        ("empty-body", "HTTP 200 with nothing"),
        ("json-array", "HTTP 200 with a JSON array"),
        ("error-in-stream", "HTTP 200, then an error event"),
        ("empty-choices", "a completion without choices"),
        ("empty-at-length", "empty content, finish_reason length"),
        ("null-content", "content is null"),
        ("tool-call", "a tool call in place of text"),
        ("only-think", "nothing but a thought"),
        ("unclosed-think", "a thought that the token cap cuts off"),
        ("reasoning-only", "reasoning_content until the token cap, no content"),
    ),
    *at_endpoint(
        ALWAYS,
        Expect.TOLD,
        ("400-schema", "HTTP 400: response_format is not supported"),
        ("400-max-tokens", "HTTP 400: max_tokens is not supported"),
        ("400-seed", "HTTP 400: seed is not supported"),
        ("400-everything", "HTTP 400 whatever is asked"),
        ("401", "HTTP 401: the key is refused"),
        ("404", "HTTP 404: there is no such model"),
        ("refusal", "the model refuses"),
        ("content-filter", "finish_reason content_filter"),
        ("skip-word", "the model says Skip, which would become Over"),
        ("white-space", "nothing but white space"),
    ),
    Fault("two-megabytes", "two megabytes of sentences", Where.ENDPOINT, Expect.LEGAL, RETRIED, alone=True),
    Fault("two-megabytes-one-word", "two megabytes, no space", Where.ENDPOINT, Expect.LEGAL, RETRIED, alone=True),
    *at_endpoint(
        ALWAYS,
        Expect.LEGAL,
        ("closing-think-only", "a thought that is closed but was never opened"),
        ("invalid-utf8", "bytes that are no UTF-8"),
        ("other-language", "another language than the table's"),
        ("json-as-text", "a JSON object in a code fence, a thought inside"),
        ("decorated-name", "the right name with @, honorific, stars and a sentence"),
        ("dead-name", "the name of a dead player"),
        ("own-name", "one's own name"),
        ("two-names", "two names, or two mentions"),
        ("over-glued", "Over glued to the end of a sentence"),
        ("emoji-commas", "emoji and commas everywhere"),
        ("dozen-lines", "twelve lines, each with commas"),
    ),
    *at_table(
        Expect.UNMOVED,
        ("name-between", "NAME before every packet and after every answer"),
        ("delay", "every packet comes late"),
        ("repeat-all", "every packet comes twice"),
        ("repeat-requests", "every request comes three times"),
        ("repeat-after-answer", "every request comes again when it has been answered"),
        ("omit-optional", "all that a server may leave out is missing"),
        ("null-lists", "lists are null"),
        ("unknown-fields", "fields that nobody knows, at every depth"),
        ("wrong-types", "fields of the wrong type"),
        ("unknown-requests", "requests that nobody knows"),
        ("malformed-json", "frames that are no JSON"),
        ("no-packets", "JSON that is no packet"),
        ("finished-game", "packets of a finished game"),
        ("finished-game-asks", "questions of a finished game, each to be answered once"),
        ("second-initialize", "INITIALIZE comes again, also that of another game"),
    ),
    Fault("history-one", "a talk of one megabyte", Where.TABLE, Expect.UNMOVED, alone=True),
    Fault("history-many", "a megabyte of history in 2,500 talks", Where.TABLE, Expect.UNMOVED, alone=True),
    Fault(
        "timeout-1s",
        "one second for an answer, hanging endpoint",
        Where.BOTH,
        Expect.TOLD,
        WAITING,
        action=1000,
        alone=True,
        talks=Talks.TURNS,
    ),
    Fault("thirteen", "thirteen seats in one process", Where.TABLE, Expect.UNMOVED, players=13),
    Fault("name-in-talk", "NAME while a talk is being made", Where.BOTH, Expect.UNHEARD, RETRIED, talks=Talks.TURNS),
    Fault("name-in-any", "NAME, twice, while any answer is being made", Where.BOTH, Expect.UNHEARD, RETRIED),
    *(
        Fault(name, what, Where.TABLE, Expect.UNMOVED, talks=Talks.CHAT)
        for name, what in (
            ("bare-phases", "the packets of a phase have no info"),
            ("no-counts", "no packet tells what remains, and the setting has no limits"),
            ("lost-start", "the start of a phase is never told"),
            ("lost-end", "the end of a phase is never told"),
            ("old-talks", "every talk comes again at the end of each phase"),
        )
    ),
    *at_table(
        Expect.LOST,
        ("drop-after-name", "the connection ends after NAME"),
        ("drop-after-initialize", "the connection ends after INITIALIZE"),
        ("drop-at-talk", "the connection ends where a talk would be asked"),
        ("drop-at-vote", "the connection ends where a vote would be asked"),
        ("drop-at-night", "the connection ends at night"),
        ("drop-before-finish", "the connection ends before FINISH"),
    ),
    Fault(
        "drop-in-thought",
        "the connection ends while a talk is being made",
        Where.BOTH,
        Expect.LOST,
        WAITING,
        talks=Talks.TURNS,
    ),
    Fault("crash-model", "the model's code fails", Where.OWN, Expect.CRASH),
    Fault("crash-prompt", "a template fails", Where.OWN, Expect.CRASH),
    Fault("crash-cleaning", "the cleaning of talks fails", Where.OWN, Expect.CRASH),
    Fault("crash-mind", "the mind fails", Where.OWN, Expect.CRASH),
    Fault("crash-everything", "all of these at once", Where.OWN, Expect.CRASH),
    Fault("endless-strategy", "a strategy that never returns", Where.OWN, Expect.LEGAL, alone=True, talks=Talks.TURNS),
    *(
        Fault(name, what, Where.CLASSIC, expect, talks=Talks.TURNS, alone=name == "classic-late")
        for name, what, expect in (
            ("classic-cut", "lines of a classic server come cut at any byte", Expect.UNMOVED),
            ("classic-joined", "several of its lines come in one segment", Expect.UNMOVED),
            ("classic-garbage", "lines that are no packet, before each of its own", Expect.UNMOVED),
            ("classic-unknown", "requests that nobody knows, before each of its own", Expect.UNMOVED),
            ("classic-megabyte", "now and then a line of one megabyte", Expect.UNMOVED),
            ("classic-silence", "now and then a quarter of the time limit of silence before a line", Expect.UNMOVED),
            ("classic-reset", "the connection is reset in mid game", Expect.LOST),
            ("classic-late", "an answer is computed for longer than there is time", Expect.LOST),
        )
    ),
    Fault("storm", "a faulty endpoint, a faulty table, failing code", Where.BOTH, Expect.LEGAL, Strikes(every=2)),
    *HOSTILE,
)
ATTACKS = (
    *(fault.name for fault in HOSTILE),
    *("tool-call", "skip-word", "two-megabytes", "two-megabytes-one-word", "drip", "not-json", "invalid-utf8"),
    *("429-wait-120", "cut-mid-stream", "history-one", "history-many", "wrong-types", "malformed-json", "no-packets"),
    *("unknown-requests", "finished-game-asks", "second-initialize", "repeat-requests", "name-in-any"),
    *("endless-strategy", "storm"),
)
"""What an attacker would try first: a part of the table that takes a minute."""
BY_NAME = {fault.name: fault for fault in FAULTS}


def of_village(*, chat: bool) -> tuple[Fault, ...]:
    """The faults that can strike in a village that talks in turns, or in a group chat."""
    return tuple(fault for fault in FAULTS if fault.talks is not (Talks.TURNS if chat else Talks.CHAT))


def chosen(name: str, *, chat: bool = False) -> tuple[Fault, ...]:
    """The faults called ``name``: ``all``, ``attacks``, or several with commas between.

    Raises ConfigError for one that is unknown, or that has no sense in this kind of village.
    """
    if name == "all":
        return of_village(chat=chat)
    if name == "attacks":
        return tuple(fault for fault in of_village(chat=chat) if fault.name in ATTACKS)
    names = [part.strip() for part in name.split(",") if part.strip()]
    for part in names:
        if part not in BY_NAME:
            near = "".join(f"did you mean {name!r}? " for name in get_close_matches(part, BY_NAME, n=1))
            raise ConfigError(f"no fault is called {part!r}; {near}`--faults list` names them all", key="--faults")
        if BY_NAME[part] not in of_village(chat=chat):
            raise ConfigError(f"{part!r} strikes only {BY_NAME[part].talks}", key="--faults")
    return tuple(BY_NAME[part] for part in names)
