"""What a player knows of a game with hidden information: all worlds with their weights, or many drawn at random."""
