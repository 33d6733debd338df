"""Pages in the browser: to play, to watch, to replay and to understand; they read what other rooms publish.

Needs the extra ``web``. Begin with :mod:`nlp_agent.web.app`, the server of all pages, and :mod:`nlp_agent.web.table`, a
table with its seats and onlookers. ``event_stream`` keeps a page up to date, ``rendering`` has its templates and texts,
``access`` says who may open it. What a page shows of seats, configs and records is wired in
:mod:`nlp_agent.app.wiring` and passed in.
"""
