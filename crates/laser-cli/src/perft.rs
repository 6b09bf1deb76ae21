//! `tabiya laser perft`.

use laser::{Ko, MAX_PERFT_DEPTH, perft};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("perft", arguments, &["fen"], &["ko"])?;
    let [depth] = arguments.words[..] else {
        return Err(Failure::Usage("perft: expected one DEPTH".to_owned()));
    };
    let depth: u32 = depth.parse().map_err(|_| Failure::Usage(format!("perft: '{depth}' is no depth")))?;
    if depth > MAX_PERFT_DEPTH {
        return Err(Failure::Usage(format!("perft: depth {depth}, expected at most {MAX_PERFT_DEPTH}")));
    }
    let position = arguments.position()?;
    let ko = if arguments.has("ko") { Ko::Applied } else { Ko::Reference };
    for depth in 1..=depth {
        writeln!(environment.output, "perft {depth} {}", perft(&position, depth, ko))?;
        environment.output.flush()?;
    }
    Ok(())
}
