"""Tests of what measures the program."""
