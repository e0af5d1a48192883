"""The report of an experiment: one HTML page with plots and tables that needs nothing else."""
