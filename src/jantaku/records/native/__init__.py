"""Our own records: game files, compact text, and the mark that says which rules they were played under."""
