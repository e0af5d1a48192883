"""Functions compiled with Numba that work on plain arrays and records. They return codes and never raise."""
