"""`python -m zermelo` is the command `zermelo`."""

import sys

from .cli import main

sys.exit(main())
