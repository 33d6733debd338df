"""A player for the AIWolf Contest (Natural Language Division), and a table to sit at.

The rooms; each may import those above it that ``tests/test_rooms.py`` allows::

    protocol   packets <-> typed objects
    game       what one seat knows; village rules; legal targets
    text       names, sentences, cleaning, fitting, anchors, counts: the single exit for words
    reading    talk -> statements -> ledger, the only owner of what was said
    belief     facts, odds, exact posterior over all assignments of roles
    planning   what a seat wants to do and say, without any model
    voice      how a character speaks: persona, sheet, lines of the player without a model
    prompting  language packs: words, lines and Jinja templates
    llm        one answer before the deadline, from any OpenAI-compatible endpoint
    seat       one seat: packet in, at most one reply out
    net        websocket session; stamps every packet with its deadline
    records    the journal of a seat, the summary of a game
    arena      the local table: referee engine, views, server, the organisers' log formats
    app        config, wiring, and the command line: one file a command
    lab        what measures the product and what breaks it; the product imports nothing of it
    deadline   until when a reply is needed, told once when its packet arrives
    errors     everything that can go wrong for a user, with what to do about it
    yamlfile   YAML files read strictly: unknown keys are refused with the nearest known one
"""

__version__ = "0.1.0"
