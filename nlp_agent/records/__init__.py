"""What is left of games: journals, logs and summaries, written and read again.

Begin with :mod:`nlp_agent.records.journal`, which writes what one seat received, thought and sent. ``game_reader``
reads games of any origin into one form, ``game_files`` says where they lie, ``decisions`` reads the decisions of a
journal, ``summary`` counts.
"""
