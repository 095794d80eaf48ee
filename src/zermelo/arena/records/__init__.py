"""Records of games: the store, and the formats they are read from and written to."""
