"""The server: tables, people, events and storage behind HTTP and WebSockets."""
