//! Tells the crate which Cargo profile it is built with: the name of the folder above all build scripts. A program that was copied
//! elsewhere still knows it.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // target/PROFILE/build/experiment-HASH/out
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let profile = Path::new(&out).ancestors().nth(3).and_then(Path::file_name).and_then(|name| name.to_str());
    println!("cargo::rustc-env=TABIYA_PROFILE={}", profile.unwrap_or("unknown"));
}
