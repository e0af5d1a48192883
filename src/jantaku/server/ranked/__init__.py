"""Ranked play: who waits is brought together by rating, and rises and falls by steps."""
