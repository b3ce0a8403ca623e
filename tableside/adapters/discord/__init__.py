"""Results as messages of a Discord channel."""
