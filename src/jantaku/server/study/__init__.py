"""Single hands: scoring, explaining, the drill and the first hand."""
