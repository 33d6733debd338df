"""The review of a finished game: what each deed changed, what could be known when, and a page that tells it."""
