"""Films of throws: rigid-body physics, the project's renderer, and what a camera and people add to them."""
