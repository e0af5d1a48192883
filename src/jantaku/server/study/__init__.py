"""Single hands: scoring, explanations, scoring practice, and the first hand for newcomers."""
