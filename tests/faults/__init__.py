"""Games against everything that can go wrong: ``python -m tests.faults all`` (``make faults``, ``make soak``).

``catalogue`` lists the faults; ``endpoint``, ``table``, ``classic``, ``guests`` and ``own_code`` do them; ``trial``
plays a game against one, ``soak`` many games against all at once; ``checking`` holds the journals against the table's
log.
"""
