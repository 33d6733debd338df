"""Pages in the browser: to play, to watch, to replay and to understand; they read what other rooms publish.

Needs the extra ``web``. What a page shows of seats, configs and records is wired in :mod:`nlp_agent.app.wiring` and
passed in.
"""
