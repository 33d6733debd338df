"""Talk into statements, and statements into the ledger: the only owner of what was said.

``patterns`` are a pack's regular expressions (``reading.yml``), ``reader`` turns a talk into statements by them,
``ledger`` keeps what everybody has claimed, announced and told. ``protocol_language`` is the AIWolf Protocol, in
which some contests are played and in which everything said can be written down. Begin with
:mod:`nlp_agent.reading.statement`.
"""
