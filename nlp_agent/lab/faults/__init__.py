"""The break-it table: named faults of endpoints, tables and of our own code, and games played against them.

``catalogue`` lists them, ``trial`` plays a game against one, ``soak`` many games against all at once.
"""
