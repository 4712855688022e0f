"""What an answer states, and whether two answers state the same fact."""
