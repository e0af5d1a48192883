"""Adjudication: analysis, scores, explanations and JSON lines; the public layer over the kernels."""
