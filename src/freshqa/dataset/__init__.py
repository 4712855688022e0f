"""Questions, the files that hold them, and how they differ."""
