"""The command line: one file for each command, which reads options, calls :mod:`nlp_agent.app.wiring` and prints.

Begin with :mod:`nlp_agent.app.cli.app`: its table ``COMMANDS`` lists all commands, and a new one needs a row there.
What several commands share is in ``common``, ``screen`` (printing), ``stopping`` (Ctrl-C) and ``processes`` (all
cores).
"""
