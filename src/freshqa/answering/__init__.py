"""Answer a question with a method, a search engine and a language model."""
