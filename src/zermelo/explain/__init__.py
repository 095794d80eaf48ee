"""See the search think: traces, words and pictures."""
