"""What the two D6 games share."""
