"""Notifications of an event by sockets, webhooks, chat and push messages."""
