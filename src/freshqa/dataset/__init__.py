"""What is kept: questions, the files they travel in, and how they differ."""
