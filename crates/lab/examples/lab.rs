//! The laboratory's command line by itself, as `tabiya lab` offers it; the tests start it as a process of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ExitCode::from(lab::cli::run(&arguments, &mut std::io::stdout(), &mut std::io::stderr()))
}
