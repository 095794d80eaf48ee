"""`python -m zermelo` is the command `zermelo`."""

import sys

from .cli.app import main

sys.exit(main())
