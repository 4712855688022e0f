"""The store of versions and the ledger: SQL, append-only."""
