#!/usr/bin/env bash
# source_tree.sh FOLDER: copies the source into a new FOLDER outside of it or below build/, and prints the version and
# SOURCE_DATE_EPOCH. In a git checkout, the source is the files that git tracks or would add; in a release tarball, all
# files. Every file gets the date of the last commit, so packages of FOLDER do not depend on the machine.
set -euo pipefail
umask 022
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
if [ -e .git ]; then
    date=$(git log -1 --format=%ct)
    git ls-files -z --cached --others --exclude-standard
else
    date=$(stat -c %Y CHANGELOG.md)
    find . \( -path ./build -o -samefile "$folder" \) -prune -o ! -type d -print0
fi >"$folder/.files"
tar --create --null --files-from="$folder/.files" --ignore-failed-read | tar --extract --directory="$folder"
rm "$folder/.files"
chmod -R u=rwX,go=rX "$folder"
find "$folder" -exec touch --no-dereference --date="@$date" {} +
echo "$(sh scripts/version.sh) $date"
