"""Equilibria of games with hidden information: regret minimisation on the sequence form, best responses, strategies as files."""
