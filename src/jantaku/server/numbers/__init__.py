"""The numbers of a person, over their own games and events."""
