"""The outside world, configured: search engines, language models, the store."""
