"""One command a file; found by file name, imported only when used."""
