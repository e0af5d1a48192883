"""The parlour: tables, people and storage behind HTTP and WebSockets."""
