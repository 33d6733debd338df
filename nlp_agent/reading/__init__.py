"""Talk into statements, statements into the ledger: the only owner of what was said."""
