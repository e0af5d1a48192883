"""Events of a club: registration, rounds, recording, results and seasons."""
