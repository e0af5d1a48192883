"""Benchmarks, side by side with other packages on the same inputs in one run."""
