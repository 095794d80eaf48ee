"""What games side by side are played and learned from with, where nothing else is asked for."""

from __future__ import annotations

EXPECTED = "expected"  # TD(lambda) whose every step is a mean over all that chance may do
ON_A_GPU = ("td", "mc", EXPECTED)
SLOTS = {("cpu", False): 64, ("cpu", True): 64, ("cuda", False): 32768, ("cuda", True): 4096}  # by device, and whether it is expected
BATCH = {("cpu", False): 256, ("cpu", True): 256, ("cuda", False): 8192, ("cuda", True): 4096}
SAMPLES = {False: 1, True: 8}
GAMES = 1_500_000  # on a GPU: of fewer than there are side by side, only the short ones would be learned from
RATE = {False: 0.015, True: 0.01}  # of Adam: after 1.5 million games of backgammon 0.005 and 0.001 left 0.04 and 0.12 points behind
