"""The program around the parts: config, wiring and the command line. Nothing imports it but the lab."""
