"""What a builder needs: wiring, parts to print, sheets and drawings, all made from the program's own settings."""
