//! `tabiya data` alone: small enough to carry to a machine that trains.

use data::cli::{Failure, data};
use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

struct SystemClock(Instant);

impl kernel::Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match data(&arguments, &SystemClock(Instant::now()), &mut std::io::stdout(), &mut std::io::stderr()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(text) | Failure::Failed(text)) => {
            let _ = writeln!(std::io::stderr(), "data: {text}");
            ExitCode::FAILURE
        }
    }
}
