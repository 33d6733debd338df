"""How a character speaks: its persona, its sheet and the lines of the player without a model."""
