"""What finished games tell: who is better, how sure that is, why, and which games to open."""
