"""Studies: published results, measured again, in tables, plots and one report."""
