"""The command line: thin, one file a command; prints, sets up logging, calls :mod:`nlp_agent.app.wiring`."""
