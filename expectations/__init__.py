"""What must hold: custom Great Expectations rules and the two suites."""
