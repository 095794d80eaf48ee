"""The command line: `zermelo COMMAND`."""
