"""Adjudication: analysis, scoring, explanations and JSON lines, on top of the compiled kernels."""
