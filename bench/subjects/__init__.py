"""What is measured: each module has `tables()`, which yields tables to measure one after another."""
