"""Standings, statistics and side bets."""
