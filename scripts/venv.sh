#!/bin/sh
# Make the virtual environment: scripts/venv.sh PYTHON DIRECTORY
set -eu
python=$1 directory=$2

if ! "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' 2>/dev/null; then
    echo "mcp-notebook needs Python 3.10 to 3.14, and '$python' is not one: name yours with 'make PYTHON=…'" >&2
    exit 1
fi
if ! "$python" -c 'import ensurepip' 2>/dev/null; then # Debian keeps it in a package of its own
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "'$python' can't make virtual environments: install python3-venv (Debian, Ubuntu: apt install python3-venv)" >&2
        exit 1
    fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv" >/dev/null
fi
"$python" -m venv "$directory"
"$directory/bin/python" -m pip install -qq --disable-pip-version-check 'pip>=23'
