"""One command per file, found by file name and imported only when used."""
