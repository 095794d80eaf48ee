"""Endgame tables as searches and players use them: values, files, probing. They are built in `lookup/`."""
