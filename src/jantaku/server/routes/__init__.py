"""The routes of the HTTP interface, one module per subject."""
