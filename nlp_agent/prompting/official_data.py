"""What templates of the contest's official sample read: ``info``, ``setting``, ``talk_history`` and the rest.

Source: the packets and the library ``aiwolf-nlp-common`` 0.7, whose spelling templates rely on: fields that are printed
as they are (``{{ info.vote_list }}``), and words that are text and have a ``value``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from nlp_agent import protocol
from nlp_agent.game import role_spec
from nlp_agent.prompting.quote import quote_name, quote_profile, quote_talk


class Word(str):
    """A word of the protocol as their enumerations show it: equal to its text, printed as ``Role.SEER``."""

    __slots__ = ()

    @property
    def value(self) -> str:
        """The word itself, as templates of the sample print it."""
        return str.__str__(self)

    @property
    def name(self) -> str:
        """The word itself, as templates of the sample print it."""
        return str.__str__(self)

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.value}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"<{self}: {self.value!r}>"


class Status(Word):
    """The state of a player: alive or dead."""

    __slots__ = ()


class Species(Word):
    """The species that a player is found to be: human or werewolf."""

    __slots__ = ()


class Team(Word):
    """The side with which a player wins."""

    __slots__ = ()


class Role(Word):
    """A role, with its team and its species."""

    __slots__ = ()

    @property
    def team(self) -> Team:
        """The side with which this role wins."""
        return Team(role_spec(self.value).side.value)

    @property
    def species(self) -> Species:
        """The species that the seer and the medium find this role to be."""
        return Species(role_spec(self.value).species.value)


@dataclass(frozen=True)
class Judge:
    """A result of a seer or a medium."""

    day: int
    agent: str
    target: str
    result: Species


@dataclass(frozen=True)
class Vote:
    """A vote of a day."""

    day: int
    agent: str
    target: str


@dataclass(frozen=True)
class Talk:
    """A talk or a whisper."""

    idx: int
    day: int
    turn: int
    agent: str
    text: str
    skip: bool = False
    over: bool = False


@dataclass(frozen=True)
class Info:
    """The newest packet's ``info``, field by field; ``None`` is what a packet does not tell."""

    game_id: str
    day: int
    agent: str
    profile: str | None
    medium_result: Judge | None
    divine_result: Judge | None
    executed_agent: str | None
    attacked_agent: str | None
    vote_list: list[Vote] | None
    attack_vote_list: list[Vote] | None
    status_map: dict[str, Status]
    role_map: dict[str, Role]
    remain_count: int | None = None
    remain_length: int | None = None
    remain_skip: int | None = None


@dataclass(frozen=True)
class Setting:
    """The village's setting; the inner ones are the protocol's own."""

    agent_count: int
    max_day: int | None
    role_num_map: dict[Role, int]
    vote_visibility: bool
    talk: protocol.TalkSetting
    whisper: protocol.TalkSetting
    vote: protocol.VoteSetting
    attack_vote: protocol.VoteSetting
    timeout: protocol.Timeout


def sample_info(info: protocol.Info) -> Info:
    """Convert ``info`` into the spelling of the official sample; other people's words and names are made safe
    to show.
    """
    theirs = {field.name: getattr(info, field.name) for field in fields(Info)}
    theirs |= {name: _judge(theirs[name]) for name in ("medium_result", "divine_result")}
    theirs |= {name: _name(theirs[name]) for name in ("agent", "executed_agent", "attacked_agent")}
    theirs |= {name: _votes(theirs[name]) for name in ("vote_list", "attack_vote_list")}
    theirs["profile"] = "\n".join(quote_profile(info.profile)) if info.profile is not None else None
    theirs["status_map"] = {quote_name(name): Status(status) for name, status in info.status_map.items()}
    theirs["role_map"] = {quote_name(name): Role(role) for name, role in info.role_map.items()}
    return Info(**theirs)


def sample_setting(setting: protocol.Setting) -> Setting:
    """Convert ``setting`` into the spelling of the official sample."""
    theirs = {field.name: getattr(setting, field.name) for field in fields(Setting)}
    theirs["role_num_map"] = {Role(role): count for role, count in setting.role_num_map.items()}
    return Setting(**theirs)


def sample_talk(talk: protocol.Talk) -> Talk:
    """Convert ``talk`` into the spelling of the official sample, its words made safe to show."""
    return Talk(talk.idx, talk.day, talk.turn, quote_name(talk.agent), quote_talk(talk.text), talk.skip, talk.over)


def _judge(judge: protocol.Judge | None) -> Judge | None:
    if judge is None:
        return None
    return Judge(judge.day, quote_name(judge.agent), quote_name(judge.target), Species(judge.result))


def _votes(votes: tuple[protocol.Vote, ...] | None) -> list[Vote] | None:
    if votes is None:
        return None
    return [Vote(vote.day, quote_name(vote.agent), quote_name(vote.target)) for vote in votes]


def _name(name: str | None) -> str | None:
    return None if name is None else quote_name(name)
