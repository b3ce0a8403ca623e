"""Training of the three networks: one finds dice, one measures how each lies, one reads their upper faces."""
