"""Every event as signed JSON to one address."""
