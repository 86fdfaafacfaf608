"""The program, as `ltesim ...` or `python3 -m ltesim ...`; `import` is done here."""

import os
import sys

from ltesim._program import PROGRAM


def main():
    if sys.argv[1:2] == ["import"]:
        from ltesim._import import main as import_channels

        sys.exit(import_channels(sys.argv[2:]))
    os.execv(PROGRAM, [str(PROGRAM), *sys.argv[1:]])


if __name__ == "__main__":
    main()
