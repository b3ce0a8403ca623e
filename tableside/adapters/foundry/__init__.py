"""Rolls for a Foundry world."""
