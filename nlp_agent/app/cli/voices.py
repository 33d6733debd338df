"""``nlp-agent voices``: do characters keep their voice, and can they be told apart?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.app.cli.terminal_language import say, title

EPILOG = """
**Examples**

* `nlp-agent voices` – 20 games of each of six casts of five characters, in English and Japanese (half a minute)
* `nlp-agent voices --lang ja --each` – Japanese alone, with what each character said how often

**What is counted** – in public talks of games without a model: first persons that are the character's own; sentences
whose ending fits the way the character mostly speaks; single talks for which a classifier (naive Bayes on character
trigrams, names masked) finds the right one of five characters. It learns from other games of the same five.
By chance it would find .20.
"""


def voices(
    lang: Annotated[list[str] | None, typer.Option("--lang", "-l", metavar="en|ja", help="May be repeated.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=2, metavar="N", help="Games of each cast.")] = 20,
    casts: Annotated[int, typer.Option(min=1, metavar="N", help="Draws of five characters.")] = 6,
    seed: Annotated[int, typer.Option(metavar="S", help="Draws and games follow from it.")] = 1,
    each: Annotated[bool, typer.Option("--each", help="Also show each character's counts.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a language, nothing else.")] = False,
) -> None:
    """Measure how constant and how distinct the voices of the LLM-free player are."""
    from nlp_agent.app.cli.results import plain_table
    from nlp_agent.arena.cast import LANGUAGES
    from nlp_agent.study.statistics import between, wilson
    from nlp_agent.study.voices import SIZE, study_voices

    if unknown := set(lang or ()) - set(LANGUAGES):
        raise typer.BadParameter(f"no cast for {', '.join(sorted(unknown))} (valid: {', '.join(LANGUAGES)})")
    screen = stdout()
    for language in lang or LANGUAGES:
        report = study_voices(language, games=games, casts=casts, seed=seed)
        if as_json:
            print_json(asdict(report))
            continue
        screen.print(say("voices_of", language=report.language, games=report.games, size=SIZE, talks=report.talks))
        rows = []
        for what, hits, count, target in report.rows():
            low, high = wilson(hits, count)
            share = f"{hits / count:.3f}" if count else "-"
            rows.append((title(what), share, between((low, high), 3), f"{hits}/{count}", f">= {target:.2f}"))
        plain_table(screen, ("Measure", "Share", "95 % interval", "Counted", "Target"), rows)
        for names, part in report.by_cast.items():
            screen.print("  " + say("voices_told_apart", share=f"{part:.2f}", names=names))
        for name, counts in report.by_character.items() if each else ():
            screen.print(f"  {name}: {counts}")
        screen.print()
