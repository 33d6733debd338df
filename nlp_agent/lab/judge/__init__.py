"""Models rank the players of logged games by the contest's criteria, and how far such verdicts can be trusted."""
