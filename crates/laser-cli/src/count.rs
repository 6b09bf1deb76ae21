//! `tabiya laser perft`.

use laser::{Ko, perft};

use crate::arguments::Arguments;
use crate::{Failure, World};

pub(crate) fn run(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("perft", arguments, &["fen"], &["ko"])?;
    let [depth] = arguments.words[..] else {
        return Err(Failure::Usage("perft: expected one DEPTH".to_owned()));
    };
    let depth: u32 = depth.parse().map_err(|_| Failure::Usage(format!("perft: '{depth}' is no depth")))?;
    let position = arguments.position()?;
    let ko = if arguments.has("ko") { Ko::Applied } else { Ko::Reference };
    for depth in 1..=depth {
        writeln!(world.output, "perft {depth} {}", perft(&position, depth, ko))?;
        world.output.flush()?;
    }
    Ok(())
}
