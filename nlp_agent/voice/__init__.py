"""How a character speaks: the words of a seat without a model, and what a model is told of its character.

``linebook`` is the data (``lines.yml`` of a pack), ``persona`` what one profile gets from it, ``lines`` the choice of
lines for a plan, ``own_words`` the talk of a seat, ``character_sheet`` what goes into prompts. Begin with
:mod:`nlp_agent.voice.own_words`.
"""
