"""Lamps and buttons on the Pi's pins, through gpiozero. Which there are is written in `parts`, a row each."""
