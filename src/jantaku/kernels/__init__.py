"""Functions compiled with Numba, over plain arrays and records. They never raise; they return codes."""
