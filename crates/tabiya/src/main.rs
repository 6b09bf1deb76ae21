//! `tabiya`: one binary, subcommands. It connects stdin, stdout, files and signals to the libraries, which do the work.

mod cli;
mod clock;
mod commands;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod date;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if let Some(missing) = cpu::missing() {
        return refuse(missing);
    }
    start()
}

/// Not inlined: before the CPU was looked at, nothing may run that was compiled for a newer one.
#[inline(never)]
fn start() -> ExitCode {
    cli::run(&commands::TABLE, std::env::args_os().skip(1))
}

/// Says what to do on a CPU that is too old. Written piece by piece, since formatting may be compiled for a newer CPU.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn refuse(missing: &str) -> ExitCode {
    use std::io::Write as _;
    let mut out = std::io::stderr();
    for part in [
        "tabiya: this build needs a CPU with ",
        missing,
        ", which this one lacks. Use the archive 'x86_64-v2', or build it here with 'make'.\n",
    ] {
        let _ = out.write_all(part.as_bytes());
    }
    ExitCode::FAILURE
}
