"""``make pages``: the pages about config keys, commands and template variables, which are made from the code."""
