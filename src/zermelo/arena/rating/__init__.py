"""Ratings: Elo, SPRT, luck, accuracy."""
