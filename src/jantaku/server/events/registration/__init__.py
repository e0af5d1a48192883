"""Registration: entries, their names and claims."""
