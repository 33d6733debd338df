"""What a seat wants to do and say, without any model. Pure.

Begin with :mod:`nlp_agent.planning.planner`. ``talk_plan`` decides what to say, in the acts of speech that ``acts``
lists; ``target_plan`` decides whom to name; ``lies`` is the false world of the wolves' side; ``advice`` is what a model
is told that decides itself. ``strategy`` is where a strategy of the user's own comes in, ``examples`` has one.
"""
