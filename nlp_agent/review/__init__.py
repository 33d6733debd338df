"""The review of a finished game: what each deed changed, what could be known when, and a page that tells it.

Begin with :mod:`nlp_agent.review.review`, which makes the whole review of one game. ``plan`` chooses the moments from
which the game is played on, ``play_on`` plays, ``knowledge`` tells what could be believed, ``words`` says it in
sentences, ``page`` shows it, and ``ask`` answers questions to a player.
"""
