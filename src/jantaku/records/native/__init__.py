"""Our own records: game files, compact text, and the mark that names their rules."""
