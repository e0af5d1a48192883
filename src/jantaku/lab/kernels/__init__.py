"""The compiled half of the lab: many games at once, what seats see, action indices, simulated hands."""
