#!/bin/sh
# Builds the WebAssembly modules of a crate: tools/wasm.sh CRATE FOLDER [BUILD...]
#
# Writes FOLDER/tabiya-BUILD.wasm for each build: threads (SIMD and threads), single (SIMD), scalar (neither). PROFILE is the Cargo
# profile. The targets come with: rustup target add wasm32-wasip1 wasm32-wasip1-threads
set -eu
crate=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- single scalar
profile=${PROFILE:-wasm}
cargo=${CARGO:-cargo}
name=$(echo "$crate" | tr - _)
mkdir -p "$folder"
for build in "$@"; do
  target=wasm32-wasip1
  flags="-C target-feature=+simd128"
  place=target/wasm
  features=""
  case $build in
    threads)
      target=wasm32-wasip1-threads
      features="--features threads"
      ;;
    single) ;;
    scalar) flags="" place=target/wasm-scalar ;;
    *) echo "tools/wasm.sh: no build '$build': threads, single and scalar are known" >&2; exit 2 ;;
  esac
  if ! rustc --print target-libdir --target "$target" >/dev/null 2>&1 || [ ! -d "$(rustc --print target-libdir --target "$target")" ]; then
    echo "tools/wasm.sh: the target $target is not installed: rustup target add $target" >&2
    exit 1
  fi
  RUSTFLAGS="$flags" CARGO_TARGET_DIR=$place "$cargo" build --profile "$profile" --target "$target" -p "$crate" $features
  cp -f "$place/$target/$profile/$name.wasm" "$folder/tabiya-$build.wasm"
done
