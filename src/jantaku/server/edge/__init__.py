"""The outer layer of the server: limits, request checks, protocols, metrics and heavy work."""
