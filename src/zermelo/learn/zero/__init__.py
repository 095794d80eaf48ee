"""AlphaGo Zero's way of learning: a network that guides a search learns to say at once what the search found, from games against itself."""
