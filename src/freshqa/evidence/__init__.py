"""What a search found, normalised: the same shape whichever engine was asked."""
