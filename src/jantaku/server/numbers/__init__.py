"""A person's statistics and ratings, over their online games and events."""
