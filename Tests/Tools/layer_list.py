"""Reads layers.txt, the layers of the modules that have some."""
from pathlib import Path

LAYERS = Path(__file__).resolve().with_name("layers.txt")


def layers(text):
    """The layers by module, the lowest first."""
    found = {}
    for line in text.splitlines():
        if line.startswith("module "):
            module = found[line.split()[1]] = []
        elif line and not line.startswith("#"):
            module.append(line)
    return found
