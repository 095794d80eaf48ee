"""File formats for games and positions that programs share. They know no rules: moves and positions are text here."""
