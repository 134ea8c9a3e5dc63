"""`python -m shutong` is the `shutong` command."""

from shutong.cli.main import run

run()
