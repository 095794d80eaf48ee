"""Pictures of search trees."""
