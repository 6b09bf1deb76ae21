#!/bin/sh
# Builds with profile-guided optimisation (PGO): build with counters, run the bench, build again with what it counted.
#
#   tools/pgo.sh CPU FOLDER [CARGO ARGUMENTS]
#
# CPU is a -C target-cpu (native, x86-64-v3), FOLDER the target folder; the program is left in FOLDER/release as by a plain
# build. The arguments say what to build (default: -p tabiya). Needs llvm-profdata of the compiler's own version: `rustup
# component add llvm-tools`. Where it is missing, the build is a plain one and says so.
set -eu
cpu=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- -p tabiya
cargo=${CARGO:-cargo}
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
plain="-C target-cpu=$cpu"

build() { # flags, folder, cargo arguments
  flags=$1
  to=$2
  shift 2
  # With --target the flags reach the program, not the build scripts.
  RUSTFLAGS="$flags" CARGO_TARGET_DIR="$to" $cargo build --release --target "$host" "$@"
}

# The program, below the folder of the profile: a package's, or an example, which is its own bench.
name=tabiya
previous=
for argument in "$@"; do
  [ "$previous" != --example ] || name=examples/$argument
  previous=$argument
done

if [ ! -x "$profdata" ]; then
  echo "pgo: no llvm-profdata (rustup component add llvm-tools): building without a profile" >&2
  build "$plain" "$folder" "$@"
else
  mkdir -p "$folder"
  counts=$(cd "$folder" && pwd)/counts
  rm -rf "$counts"
  build "$plain -C profile-generate=$counts" "$folder/counting" "$@"
  case $name in
  examples/*) "$folder/counting/$host/release/$name" ;;
  *) "$folder/counting/$host/release/$name" bench ;;
  esac
  "$profdata" merge -o "$counts/merged.profdata" "$counts"/*.profraw
  build "$plain -C profile-use=$counts/merged.profdata" "$folder" "$@"
fi
mkdir -p "$folder/release/$(dirname "$name")"
cp -f "$folder/$host/release/$name" "$folder/release/$name"
