"""What all parts of an event use: the plan, rights, and how an event is shown."""
