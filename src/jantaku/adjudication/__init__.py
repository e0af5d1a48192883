"""Hands judged: analysis, scores, explanations, JSON lines; the friendly side of the kernels."""
