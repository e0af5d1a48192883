"""A slow, readable rulebook in plain Python, against which the compiled scorer is tested."""
