"""Lab questions from the browser, answered in separate processes within limits."""
