"""The subjects of the benchmark: each module has `tables()`, which yields tables to measure."""
