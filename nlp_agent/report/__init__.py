"""What finished games tell: who is better, how sure that is, why, and which games to open.

Begin with :mod:`nlp_agent.report.evidence`, which reads the games. ``measures`` and ``ratings`` make figures of them,
``conclusion`` the sentence on top, ``charts`` the pictures, ``page`` the HTML file.
"""
