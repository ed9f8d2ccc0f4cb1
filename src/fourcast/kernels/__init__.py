"""Compiled code: the only Numba in the package. `Batch` is how positions get in."""
