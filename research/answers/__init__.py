"""The table of answers: what each yaku and option changes, and what it should."""
