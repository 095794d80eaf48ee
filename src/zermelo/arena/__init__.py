"""The arena: players, clocks, matches between them, ratings and records."""
