"""What connections to other programs share: how one is declared, and how events get there, each once and in order."""
