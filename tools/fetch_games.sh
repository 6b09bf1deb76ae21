#!/usr/bin/env bash
# Fetches rated games of the public Lichess database (CC0) for training the human models, and checks their SHA-256 sums.
# Usage: tools/fetch_games.sh [--yes] YEAR-MONTH [FOLDER]
# Without --yes it only says what it would fetch. Nothing else in the project downloads anything.
set -euo pipefail
yes=false
if [ "${1:-}" = "--yes" ]; then
    yes=true
    shift
fi
month=${1:-}
folder=${2:-games}
if ! [[ "$month" =~ ^20[0-9]{2}-(0[1-9]|1[0-2])$ ]]; then
    echo "usage: tools/fetch_games.sh [--yes] YEAR-MONTH [FOLDER]" >&2
    exit 2
fi
base=https://database.lichess.org/standard
file=lichess_db_standard_rated_$month.pgn.zst
echo "$base/$file -> $folder/$file, checked against $base/sha256sums.txt"
if [ "$yes" = false ]; then
    echo "Nothing fetched: add --yes. Recent months have 20 to 30 GB; 2014-01 has about 0.2 GB."
    exit 0
fi
mkdir -p "$folder"
curl --fail --location --output "$folder/$file" "$base/$file"
expected=$(curl --fail --silent --location "$base/sha256sums.txt" | awk -v name="$file" '$2 == name { print $1 }')
if [ -z "$expected" ]; then
    echo "$file: no checksum is published for it" >&2
    exit 1
fi
actual=$(sha256sum "$folder/$file" | cut -d' ' -f1)
if [ "$expected" != "$actual" ]; then
    echo "$folder/$file: SHA-256 is $actual, expected $expected" >&2
    exit 1
fi
echo "$folder/$file: SHA-256 is right"
