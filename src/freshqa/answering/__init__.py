"""What a method answers to a question, given search and a language model."""
