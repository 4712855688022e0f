"""RGB: can a model read documents, decline, combine them, and detect errors in them?

Read it in this order: `testbed` (what is asked), `sampling` (which documents), `prompts` and
`reply` (how it is asked and read), `scoring` (right or wrong, as fixed and as official), `metrics`.
"""
