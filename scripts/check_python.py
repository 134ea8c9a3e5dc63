"""Say plainly when this Python is too old or too new, before an installer says it less plainly."""

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        "Shutong needs Python 3.11, 3.12 or 3.13; this is %d.%d. Name another one: make run PYTHON=python3.12"
        % sys.version_info[:2]
    )
