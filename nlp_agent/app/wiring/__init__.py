"""The only place that builds real parts (endpoints, packs, seats, sessions, tables) and runs them together.

Begin with :mod:`nlp_agent.app.wiring.team`, which makes the seats of one config. ``models`` builds the model,
``running`` plays at a server, ``tables`` at a table of this process, ``web_tables`` at one with pages in the browser.
"""
