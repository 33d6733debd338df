"""What a tournament is: the file that describes it, read strictly, or two contestants named on the command line; and
the plan made of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from nlp_agent.app.config import Config, LlmConfig, milliseconds, one_or_many, unset
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.casts import table_cast
from nlp_agent.arena.chance import team_of
from nlp_agent.arena.village import CONTEST_TIMEOUT, GROUP_CHAT_DURATION, Generation, Village, contest_village
from nlp_agent.errors import ConfigError, PackError
from nlp_agent.prompting.pack import find_pack, shipped_packs
from nlp_agent.text.rules import Strict
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.limits import DECIDED, USUAL_MARGIN, TournamentLimits
from nlp_agent.yamlfile import Document, read_document

NO_MODEL = "none"
"""As a contestant's ``model``: it plays without one, whatever its config says."""
USUAL_GAMES = 200
"""Games where the file limits neither their number nor width nor money."""
BUILTIN = "builtin"
"""As a contestant on the command line: what the config of ``-c`` says, else the player without a model."""
_NAME = re.compile(r"\w[\w.-]{0,39}")
_STRATEGY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def parse_percent(value: Any) -> float:
    """Read ``3%`` (or 3) as .03. Raises ValueError for what is no share."""
    try:
        share = float(str(value).strip().removesuffix("%")) / 100
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise ValueError("expected a share such as 3%")
    return share


def parse_until(value: Any) -> float | Literal["decided"]:
    """A width as in :func:`parse_percent`, or ``decided``. Raises ValueError for what is neither."""
    if str(value).strip() == DECIDED:
        return "decided"
    try:
        return parse_percent(value)
    except ValueError:
        raise ValueError("expected a width such as 3%, or decided") from None


def _named(value: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in value:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name: letters, digits, '.', '_' and '-', at most 40")
    return value


Span = Annotated[int, BeforeValidator(milliseconds)]
Texts = Annotated[tuple[str, ...], BeforeValidator(one_or_many)]


@dataclass(frozen=True)
class VillageSpec(Strict):
    """A village of the file, times in milliseconds; ``roles`` replaces the role map of 5, 9 or 13 ``players``."""

    players: int = 5
    roles: dict[str, Annotated[int, Field(ge=0)]] | None = None
    language: str = "en"
    talk: Literal["turns", "groupchat"] = "turns"
    duration: Span = GROUP_CHAT_DURATION
    talks: Annotated[int, Field(ge=1, le=100)] = 4
    timeout: Span | None = None
    server: Literal["current", "older"] = "current"

    def village(self) -> Village:
        """Make the village of these settings. Raises TableError or PackError where there is no such village."""
        changed = {} if self.timeout is None else {"action": self.timeout}
        return contest_village(
            self.players,
            self.language,
            roles=self.roles,
            talks=self.talks,
            length=table_cast(self.language).length,
            timeout=CONTEST_TIMEOUT.model_copy(update=changed),
            duration=self.duration if self.talk == "groupchat" else None,
            generation=Generation(self.server),
        )


@dataclass(frozen=True)
class ContestantFile(Strict):
    """A contestant as the file has it: a config, and what is different from it."""

    config: str = ""
    prompts: Texts = ()
    language: str = ""
    strategy: str = ""
    model: str = ""
    llm: Annotated[dict[str, Any], unset({})] = field(default_factory=dict)
    command: str = ""
    folder: str = ""
    keys: Texts = ()


@dataclass(frozen=True)
class TournamentFile(Strict):
    """The settings of a tournament's file, one field for each of its keys."""

    contestants: Annotated[dict[str, Annotated[ContestantFile, unset({})]], AfterValidator(_named)]
    villages: Annotated[
        dict[str, Annotated[VillageSpec, unset({})]],
        AfterValidator(_named),
        Field(min_length=1),
    ] = field(default_factory=lambda: {"village": VillageSpec()})
    tables: Tables = Tables.SIDES
    seed: int = 1
    games: Annotated[int, Field(ge=1)] | None = None
    until: Annotated[float | Literal["decided"], BeforeValidator(parse_until)] | None = None
    margin: Annotated[float, BeforeValidator(parse_percent)] | None = None
    budget: Annotated[float, Field(ge=0)] | None = None
    records: Literal["auto", "full", "log"] = "auto"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A contestant of a tournament. ``config`` is how our seats play; with a ``command`` foreign agents do, started in
    ``folder``, and their own config file, if there is one, is ``template``. ``keys``: the variables with keys that the
    command may see.
    """

    name: str
    config: Config
    command: str = ""
    folder: Path | None = None
    template: Path | None = None
    keys: tuple[str, ...] = ()

    @property
    def team(self) -> str:
        """The contestant's name at the table, where digits at the end are no part of a team."""
        return self.name if team_of(self.name) == self.name else f"{self.name}_"

    @property
    def unpriced(self) -> bool:
        """Whether the contestant asks a model that has no price; one in a file here, and what a command spends, are
        left out.
        """
        return any(section.prices is None for section in self.config.llm.endpoints_by_name.values())

    @property
    def model(self) -> str:
        """The names of the contestant's models, or its command, or ``""`` for neither; what it costs depends on
        this.
        """
        asked = [section.model for section in self.config.llm.endpoints_by_name.values()]
        return self.command or " ".join(asked) or str(self.config.llm.gguf or "")

    @property
    def quick(self) -> bool:
        """Whether the contestant needs nothing from outside its process."""
        return not self.command and not self.config.llm.enabled


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of a tournament that is to be played. ``full``: records with the journal of every seat, not only the
    game's log.

    Raises ConfigError for too few contestants or two of one name, for limits that can end nothing, and for a village
    that cannot be dealt.
    """

    contestants: tuple[Contestant, ...]
    villages: dict[str, VillageSpec]
    tables: Tables
    seed: int
    limits: TournamentLimits
    full: bool

    def __post_init__(self) -> None:
        if len(self.contestants) < (1 if self.tables is Tables.SAME else 2):
            raise ConfigError(f"tables of kind {self.tables} need two contestants", key="contestants")
        teams = [contestant.team for contestant in self.contestants]
        if len(set(teams)) < len(teams):
            raise ConfigError("two contestants have the same name", key="contestants")
        self._check_limits()
        for name, spec in self.villages.items():
            try:
                spec.village()
            except Exception as error:
                raise ConfigError(str(error), key=f"villages.{name}") from None

    def _check_limits(self) -> None:
        """A budget must be able to end the games."""
        limits = self.limits
        if limits.budget is None:
            return
        if unpriced := [one.name for one in self.contestants if one.unpriced]:
            raise ConfigError(
                f"nobody knows what {', '.join(unpriced)} would spend: set llm.prices of the model", key="budget"
            )
        if (
            limits.games is None
            and limits.until is None
            and not any(one.config.llm.enabled for one in self.contestants)
        ):
            raise ConfigError("is never spent without a model: set games or until", key="budget")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the contestants, in the order they are given."""
        return tuple(contestant.name for contestant in self.contestants)

    @property
    def free(self) -> bool:
        """Whether no game costs money: nothing is asked of a model or of foreign agents."""
        return all(contestant.quick for contestant in self.contestants)


def load_plan(file: Path) -> Plan:
    """Read and check a tournament's file; paths in it are found beside it. Raises ConfigError."""

    def complain(message: str, *, line: int | None = None, key: str = "") -> ConfigError:
        has_line = f"line {line}" in message or not line
        return ConfigError(message, file=str(file) if has_line else f"{file}:{line}", key=key)

    if not file.exists():
        raise complain("no such file; `nlp-agent tournament --help` shows one to begin with")
    document = read_document(file, complain)
    try:
        settings = document.build(TournamentFile)
    except PackError as error:
        raise ConfigError(str(error)) from None
    contestants = [_contestant(name, one, file, document) for name, one in settings.contestants.items()]
    try:
        return make_plan(contestants, settings)
    except ConfigError as error:
        raise ConfigError(str(error), file=str(file)) from None


def make_plan(contestants: list[Contestant], settings: TournamentFile) -> Plan:
    """Make the plan of a tournament from its contestants and its settings, with the usual limits where none are given.

    Raises ConfigError for a ``margin`` without ``until: decided``, and for too few contestants.
    """
    free = all(contestant.quick for contestant in contestants)
    usual = USUAL_GAMES if settings.until is None and settings.budget is None else None
    if settings.margin is not None and settings.until != DECIDED:
        raise ConfigError("is only for until: decided", key="margin")
    limits = TournamentLimits(settings.games or usual, settings.until, settings.budget, settings.margin or USUAL_MARGIN)
    full = settings.records == "full" or (settings.records == "auto" and not free)
    return Plan(tuple(contestants), dict(settings.villages), settings.tables, settings.seed, limits, full)


def _contestant(name: str, given: ContestantFile, file: Path, document: Document) -> Contestant:
    beside = file.parent
    if given.command:
        ours = {"prompts", "language", "strategy", "model", "llm"}
        if extra := next((key for key in sorted(ours) if getattr(given, key)), ""):
            raise ConfigError(
                f"{extra} is for agents of ours, not for a command", file=str(file), key=f"contestants.{name}.{extra}"
            )
        template = (beside / given.config).resolve() if given.config else None
        return Contestant(name, Config(), given.command, (beside / given.folder).resolve(), template, given.keys)
    if given.keys:
        raise ConfigError("keys are for a command; see llm.api_key_env", file=str(file), key=f"contestants.{name}.keys")
    config = load_config(beside / given.config) if given.config else Config()
    try:
        return Contestant(name, config_for_contestant(config, given, beside))
    except (ConfigError, PackError) as error:
        line = document.line_of(("contestants", name))
        raise ConfigError(f"{error} (line {line})", file=str(file), key=f"contestants.{name}") from None


def config_for_contestant(config: Config, given: ContestantFile, beside: Path) -> Config:
    """The settings ``config`` with what ``given`` says otherwise; packs are found from the folder ``beside``.

    Raises ConfigError for settings of a model that cannot be, and PackError for a pack that is not found.
    """
    update: dict[str, Any] = {"records": Config().records}
    if given.prompts:
        update["prompts"] = tuple(_pack(name, beside) for name in given.prompts)
    if given.language:
        update["language"] = given.language if given.language == "auto" else _pack(given.language, beside)
    if given.strategy:
        update["strategy"] = given.strategy
    if given.model == NO_MODEL:
        update["llm"] = LlmConfig()
    elif given.model or given.llm:
        data = {
            **config.llm.model_dump(),
            **({"model": given.model, "prices": None} if given.model else {}),
            **given.llm,
        }
        try:
            update["llm"] = LlmConfig.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, ("llm", *first["loc"])))
            raise ConfigError(f"{place}: {first['msg'].removeprefix('Value error, ')}") from None
    return config.model_copy(update=update)


def _config_with(config: Config, **given: Any) -> Config:
    """The settings ``config`` for a tournament, with what is ``given`` otherwise; packs are found from the current
    folder.
    """
    return config_for_contestant(config, ContestantFile(**given), Path())


def _pack(name: str, beside: Path) -> str:
    """A shipped pack's name as it is, a folder whole."""
    return name if name in shipped_packs() else str(find_pack(name, beside))


def contestants_of(first: str, second: str, base: Config) -> list[Contestant]:
    """The contestants that somebody names on a command line, each a pack, a config, a strategy, or ``builtin``; packs
    and strategies play with what else ``base`` says. Raises ConfigError for what is none of these.
    """
    names = [_short_name(text) for text in (first, second)]
    if names[0] == names[1]:
        names = [f"{name}-{letter}" for name, letter in zip(names, "ab", strict=True)]
    return [Contestant(name, _config_of(text, base)) for name, text in zip(names, (first, second), strict=True)]


def _config_of(text: str, base: Config) -> Config:
    if text == BUILTIN:
        return _config_with(base)
    if text.endswith((".yml", ".yaml")) and not Path(text).is_dir():
        return _config_with(load_config(text))
    if _STRATEGY.fullmatch(text):
        return _config_with(base, strategy=text)
    try:
        return _config_with(base, prompts=(text,))
    except PackError as error:
        raise ConfigError(f"{text!r} is no pack, config (.yml), strategy (module:Class) or builtin: {error}") from None


def _short_name(text: str) -> str:
    """What is told of it in tables, and in the names of files."""
    last = text.rpartition(":")[2] if _STRATEGY.fullmatch(text) else Path(text).name.removesuffix(".yml")
    return re.sub(r"[^\w.-]", "_", last)[:30].strip(".-") or "it"


def with_limits(plan: Plan, given: TournamentLimits, seed: int | None) -> Plan:
    """The same ``plan`` with what the command line says otherwise; a limit named there replaces those of the file."""
    limits = plan.limits
    if not (given.games is None and given.until is None and given.budget is None):
        limits = given
    return replace(plan, limits=limits, seed=plan.seed if seed is None else seed)
