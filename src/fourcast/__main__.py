"""`python -m fourcast`."""

from fourcast.cli import main

main()
