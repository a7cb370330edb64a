"""Where the checkout, the programs under test and the collection of real pages lie."""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
# Without LECTERN_BUILD_DIR, deploy/run builds the programs here.
PROGRAMS = Path(os.environ.get("LECTERN_BUILD_DIR", CHECKOUT / ".build/release")).resolve()
PAGES = CHECKOUT.parent / "shared/readability-pages"
