"""The operating system as the rest sees it: files, limits on what comes from outside, the timer, Ctrl-C, child processes."""
