"""Algorithms over any game: one a file, each written once and run interpreted or native."""
