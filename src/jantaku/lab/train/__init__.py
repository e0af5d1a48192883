"""Training of the network of ``strong`` by self-play."""
