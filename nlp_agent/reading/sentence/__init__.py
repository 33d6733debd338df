"""The AIWolf Protocol 3.6: a small language in which everything that is said in a game can be written down.

Source: the protocol's specification and, where it is silent or wrong, the behaviour of the reference implementation
(``Content`` and ``ContentBuilder`` of AIWolf Common 0.5.6 to 0.6.3), held by the vectors in
``tests/data/protocol_language.jsonl.gz``.
"""
