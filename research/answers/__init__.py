"""The table of answers: the measured and the expected effect of each yaku and option."""
