"""Strategies to start from; set one in the config as ``strategy: nlp_agent.mind.examples.crowd:Crowd``."""
