"""Reading and writing dates: on pages, in answers, in review cells, in file names."""
