#!/bin/sh
# Packs a release archive: program, manual page, completions, licence, notices, changelog, checksum.
#
#   tools/dist.sh NAME PROGRAM [RUNNER]
#
# NAME is what the archive calls the system, as in x86_64-linux. PROGRAM is the built binary; RUNNER runs it where this
# machine cannot (qemu-aarch64, wine); TARGET in the environment is its Rust target, for the notices. The archive and
# SHA256SUMS are written to dist/, or where DIST says.
set -eu
name=$1
program=$2
runner=${3:-}
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
folder=tabiya-$version-$name
dist=${DIST:-dist}
out=$dist/$folder
rm -rf "$out"
mkdir -p "$out/completions"

case $program in
*.exe) cp "$program" "$out/tabiya.exe" ;;
*) install -m 755 "$program" "$out/tabiya" ;;
esac
# shellcheck disable=SC2086 # the runner may have arguments
run() { $runner "$program" "$@"; }
run man >"$out/tabiya.1"
for shell in bash zsh fish; do run completions "$shell" >"$out/completions/tabiya.$shell"; done
cp LICENSE README.md CHANGELOG.md "$out/"
# shellcheck disable=SC2086 # without TARGET there is no argument
python3 tools/third_party.py ${TARGET:-} >"$out/THIRD-PARTY.md"
# The program says which version it is; an archive with another name is a mistake.
run version | grep -qF "$version" || { echo "dist: $program is not version $version" >&2; exit 1; }

cd "$dist"
case $program in
*.exe)
  archive=$folder.zip
  rm -f "$archive"
  if command -v zip >/dev/null 2>&1; then zip -qr "$archive" "$folder"; else python3 -m zipfile -c "$archive" "$folder"; fi
  ;;
*)
  archive=$folder.tar.gz
  # The same input gives the same archive. Not through a pipe, whose status is gzip's: a tar without these options (macOS) fails.
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cf "$folder.tar" "$folder" 2>/dev/null ||
    tar -cf "$folder.tar" "$folder"
  gzip -nf "$folder.tar"
  ;;
esac
rm -rf "$folder"
touch SHA256SUMS
grep -v "  $archive\$" SHA256SUMS >SHA256SUMS.new || true
(sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive") >>SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
echo "$dist/$archive"
