//! The laser commands by themselves: `cargo run --release -p laser-cli --example laser -- match self self`.

use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Wall(Instant);

impl kernel::Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut environment = laser_cli::Environment {
        input: &mut BufReader::new(stdin()),
        output: &mut stdout(),
        clock: Arc::new(Wall(Instant::now())),
    };
    match laser_cli::run(&arguments, &mut environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("laser: {failure}");
            ExitCode::FAILURE
        }
    }
}
