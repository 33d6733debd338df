"""One answer of a model before the deadline, whatever fails on the way.

Begin with :mod:`nlp_agent.llm.model`, which says what is asked and answered. ``failover`` chooses among endpoints,
``endpoint`` asks one (``request`` writes the call, ``response`` reads the stream, ``retrying`` repeats it, ``failure``
explains what went wrong), and ``local`` starts a model file on this machine. ``loopback`` is the scripted model for
rehearsals (an endpoint), ``scripted`` the one for tests (without a network).
"""
