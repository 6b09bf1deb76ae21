//! Puts the built page (`web/dist`, made by `npm run build`) into the binary, if it is there. Without it the engine
//! builds all the same, and `tabiya serve` says how to get the board.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let page = manifest.join("../../web/dist");
    // A folder that is missing would make cargo run this every time; its parent is always there.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", if page.is_dir() { page.display() } else { manifest.display() });
    let mut files = Vec::new();
    if page.is_dir() {
        collect(&page.canonicalize()?, "", &mut files)?;
    }
    files.sort();
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let mut table = String::from("&[\n");
    for (number, (name, path)) in files.iter().enumerate() {
        println!("cargo:rerun-if-changed={}", path.display());
        // A copy, so that a page built anew in the middle of a compilation does no harm.
        fs::copy(path, out.join(format!("asset-{number}")))?;
        let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/asset-{number}\"))");
        let _ = writeln!(table, "    ({name:?}, {bytes}.as_slice()),");
    }
    table.push_str("]\n");
    fs::write(out.join("assets.rs"), table)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &name, files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
