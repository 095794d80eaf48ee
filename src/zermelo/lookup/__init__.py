"""Building and checking endgame tables of any game; searches and players use them through `search/endgames/`."""
