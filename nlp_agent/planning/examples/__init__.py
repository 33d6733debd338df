"""Strategies to start from; set one in the config as ``strategy: nlp_agent.planning.examples.crowd:Crowd``."""
