"""Where versions and the ledger live: SQL, append-only."""
