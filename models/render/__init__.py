"""A fast rasteriser of rounded, textured polyhedra on invented trays."""
