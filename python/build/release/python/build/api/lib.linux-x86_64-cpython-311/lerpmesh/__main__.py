"""Runs the command: python -m lerpmesh ARGUMENTS."""
import os
import subprocess
import sys
from pathlib import Path

COMMAND = str(Path(__file__).parent / "binaries" / ("lerpmesh.exe" if os.name == "nt" else "lerpmesh"))


def main() -> None:
    """Replaces this process by the command; on Windows, waits for it."""
    arguments = [COMMAND, *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(arguments, check=False).returncode)
    os.execv(COMMAND, arguments)


if __name__ == "__main__":
    main()
