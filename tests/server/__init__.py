"""Tests of the parlour."""
