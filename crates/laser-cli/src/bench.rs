//! `tabiya laser bench`: the checksum of behaviour and the speed, in both ways of counting.

use std::time::Duration;

use kernel::technique::Technique as _;
use kernel::{Depth, Lab, Limits, Release, TechniqueSet};
use laser_search::{SearchResult, Technique, bench_with};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::options::Options;

/// Deep enough to take a second.
const DEFAULT_DEPTH: i32 = 11;

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("bench", arguments, &["depth", "set", "without"], &[])?;
    let depth = arguments.number("depth")?.unwrap_or(DEFAULT_DEPTH);
    let mut options = Options::default();
    options.set_all(arguments.text("set").unwrap_or("")).map_err(Failure::Failed)?;
    let mut techniques = TechniqueSet::all();
    for name in arguments.text("without").into_iter().flat_map(|text| text.split(',')) {
        let found = Technique::ALL.iter().find(|technique| technique.name() == name);
        let technique =
            found.ok_or_else(|| Failure::Usage(format!("bench: --without {name}: no such technique")))?;
        techniques = techniques.without(*technique);
    }
    let mut engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let limits = Limits { depth: Some(Depth::new(depth)), ..Limits::default() };
    let (mut nodes, mut tried, mut time) = (0, 0, Duration::ZERO);
    let mut lines = Vec::new();
    let mut each = |fen: &str, found: &SearchResult| {
        nodes += found.nodes;
        tried += found.tried;
        time += found.time;
        lines.push(format!("{:>10} {:>11}  {fen}", found.nodes, found.tried));
    };
    // Everything on compiles to other code than everything on by a mask, and faster.
    let done = if techniques == TechniqueSet::all() {
        bench_with(&mut engine, Release, &limits, &mut each)
    } else {
        bench_with(&mut engine, Lab(techniques), &limits, &mut each)
    };
    done.ok_or_else(|| Failure::Failed("bench: a position could not be read".to_owned()))?;
    let seconds = time.as_secs_f64().max(1e-9);
    for line in lines {
        writeln!(environment.output, "{line}")?;
    }
    writeln!(
        environment.output,
        "depth {depth}: entered {nodes} tried {tried} in {seconds:.2} s: {:.0} entered/s {:.0} tried/s",
        nodes as f64 / seconds,
        tried as f64 / seconds
    )?;
    Ok(())
}
