"""News of an event to sockets, webhooks and devices."""
