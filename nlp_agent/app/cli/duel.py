"""``nlp-agent duel``: the decisions of the LLM-free player against named opponents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson, Jobs, Players, one_config

GAMES = {5: 2000, 9: 300, 13: 100, 15: 100}
"""Games of each arm by default; large villages take longer."""
EPILOG = """
**Examples**

* `nlp-agent duel` – 2000 games of each role and side against each opponent, a few minutes
* `nlp-agent duel --games 200 --opponent greedy` – a quick look
* `nlp-agent duel --strategy my_strategy:Crowd` – a strategy of your own
* `nlp-agent duel -c mine/config.yml` – the strategy that this config names
* `nlp-agent duel --players 15 --games 2000 --keep duel.jsonl` – hours; Ctrl-C and the same again goes on
* `nlp-agent duel --players 9 --json > duel.json` – for programs

**Opponents**

* `random` – names anybody at all and says nothing
* `valid` – names anybody who can be named and says nothing
* `claims` – votes by how many claim to be the seer, with the shares of public games
* `greedy` – believes results, votes for the likeliest, its seer and its possessed claim at once

In the AIWolf Protocol, by the rules of the Protocol Division (5 or 15 players; at 15 the default):

* `talker` – says legal sentences at random and names anybody who can be named
* `counter` – votes by who claims what, and believes no result
* `follower` – votes with the crowd and adds its voice

With `village side` and `wolf side` all seats of a side are ours; `nobody` is the opponents among themselves (shown:
their village's wins).
The same seed gives the same games again. Ctrl-C ends early and prints what there is.
"""


def duel(
    opponent: Annotated[
        list[str] | None,
        typer.Option("--opponent", "-o", metavar="NAME", help="Opponent; may be repeated. Default: all."),
    ] = None,
    players: Players = 5,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=1,
            metavar="N",
            help="Games of each role or side. Default: 2000, with 9 players 300, with more 100.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the first deal; later ones count up.")] = 1,
    jobs: Jobs = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="MODULE:CLASS", help="A strategy of your own, as in the config.")
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option("-c", "--config", metavar="FILE", help="Config whose strategy plays. No model is asked."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FILE", help="Keep what was played there, and go on from it next time."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure how good the decisions are, without any LLM.

    Our player takes each role in turn (then a whole side) among opponents of known rules, in the same deals for all.
    Prints win rates with Wilson 95 % intervals. This is the strength of the decision core (the
    arithmetic and rules that choose without a model), not of any LLM.
    """
    from nlp_agent.app.wiring.strategies import load_strategy
    from nlp_agent.study.duel import opponents_for, show_duels

    source = None
    if config is not None:
        settings = one_config(config)
        strategy, source = strategy or settings.strategy, settings.source
    if strategy:
        load_strategy(strategy, source=source)  # a mistake is told before any process starts
    names = opponents_for(opponent, players)
    complete = show_duels(players, names, games or GAMES[players], seed, strategy, jobs, keep, json=json)
    raise typer.Exit(0 if complete else 130)
