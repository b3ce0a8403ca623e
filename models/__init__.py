"""Networks, the renderers that make their training pictures, and the code that trains them."""
