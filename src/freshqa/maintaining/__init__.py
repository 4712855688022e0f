"""What should change in the dataset, and by whose decision."""
