"""Players: searchers, baselines, engines of other people, and the text that describes them."""
