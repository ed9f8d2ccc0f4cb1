"""The code of exported files. It is not imported here but written out, from the line that says so."""
