"""Which assignments of roles are possible, and how likely each is.

``table`` enumerates and weighs worlds exactly, ``facts`` says what happened in words that odds can be given for,
``odds`` are those odds, fitted on public games, ``view`` puts them together for one seat. numpy is loaded at the
first judgement only.
"""
