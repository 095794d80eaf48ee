"""Opening books: what they hold, their files, how they are built from games and by search, and how a player chooses from them."""
