"""The built-in games: one module (or folder) each, found by its name. See `registry.py`."""
