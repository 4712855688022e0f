"""Files that are copied into an exported task; they run in the harness, not here."""
