"""Events: what people may do in them, and what that changes."""
