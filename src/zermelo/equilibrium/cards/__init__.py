"""Games of cards too large to be enumerated: hands in buckets of like strength, and regret minimisation over buckets and betting."""
