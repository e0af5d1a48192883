"""The oracle: a slow, readable scorer in plain Python, against which the compiled scorer is tested."""
