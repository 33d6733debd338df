"""A player for the AIWolf Contest (Natural Language Division), and a table to sit at.

The rooms, in the order a packet walks through them::

    net        websocket session; stamps every packet with its deadline
    protocol   JSON packets <-> typed objects
    game       what one seat knows; village rules; legal targets
    mind       what the seat wants to do and say, without any model
    prompting  language packs: words, lines and Jinja templates
    llm        one answer before the deadline, from any OpenAI-compatible endpoint
    talk       count, trim, clean, anchor, name: the single exit for words
    player     one seat: packet in, at most one reply out
    records    the journal and the organisers' log formats
    arena      the local table: referee engine, views, server
    study      measures of play: duels against simple opponents
    cli        one file a command; wiring.py builds the real parts
"""

__version__ = "0.1.0"
