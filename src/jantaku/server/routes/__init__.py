"""The HTTP interface, one module for each thing it is about."""
