"""Training of the two networks: the locator finds dice, the classifier reads their upper faces."""
