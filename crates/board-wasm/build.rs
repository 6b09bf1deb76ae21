//! Link arguments of the WebAssembly module: a stack as deep as a search needs, and the start-up code of a library.

use std::env;
use std::process::Command;

/// The first stack: the only one where there are no threads.
const STACK_BYTES: usize = 8 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    if !target.starts_with("wasm32-wasip1") {
        return;
    }
    println!("cargo:rustc-cdylib-link-arg=-zstack-size={STACK_BYTES}");
    if target.ends_with("-threads") {
        // Rust links it to programs only; without it the C library does not know its first thread.
        let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
        let found = Command::new(rustc).args(["--print", "target-libdir", "--target", &target]).output();
        if let Ok(output) = found {
            let folder = String::from_utf8_lossy(&output.stdout).trim().to_string();
            println!("cargo:rustc-cdylib-link-arg={folder}/self-contained/crt1-reactor.o");
            println!("cargo:rustc-cdylib-link-arg=--export=_initialize");
        }
    }
}
