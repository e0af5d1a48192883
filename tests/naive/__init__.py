"""A slow, readable rulebook in plain Python that keeps the compiled scorer honest."""
