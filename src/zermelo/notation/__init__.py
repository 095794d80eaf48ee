"""The formats in which games and positions travel between programs. They know no rules: moves and positions are text here."""
