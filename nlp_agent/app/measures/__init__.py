"""How well the words of a finished game match each other and the deeds: the figures under every summary."""
