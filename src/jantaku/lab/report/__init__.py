"""The report of an experiment: one self-contained HTML page with plots and tables."""
