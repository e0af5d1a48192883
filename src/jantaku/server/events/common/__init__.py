"""Code shared by all parts of an event: its plan, rights, and request and response bodies."""
