//! `tabiya laser tune`: self-play at fixed nodes, and the weights that explain its results best.

use kernel::{Event, Limits};
use laser::{Colour, Move, Status};
use laser_search::eval::Weights;
use laser_search::fit::{Sample, Sampler, fit};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::options::Options;

/// Positions this many plies after the opening and later are used: the opening itself is random.
const SKIP: usize = 2;

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let flags = ["games", "nodes", "plies", "seed", "ridge", "set"];
    let arguments = Arguments::read("tune", arguments, &flags, &[])?;
    let games: u64 = arguments.number("games")?.unwrap_or(1000);
    let nodes: u64 = arguments.number("nodes")?.unwrap_or(500);
    let plies: usize = arguments.number("plies")?.unwrap_or(8);
    let seed: u64 = arguments.number("seed")?.unwrap_or(1);
    let ridge: f64 = arguments.number("ridge")?.unwrap_or(1e-5);
    let mut options = Options { megabytes: 2, ..Options::default() };
    options.set_all(arguments.text("set").unwrap_or("")).map_err(Failure::Failed)?;
    let mut engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let sampler = Sampler::default();
    let mut samples: Vec<Sample> = Vec::new();
    let mut results = [0_u32; 3];
    for number in 0..games {
        let mut game = laser_search::opening(seed.wrapping_add(number), plies, options.settings.rules);
        engine.new_game();
        while game.status() == Status::Ongoing {
            let found = engine.search(&game, Limits::nodes(nodes), &mut |_: Event<'_, Move>| ());
            let played = found.best.map(|best| game.play(best));
            if !matches!(played, Some(Ok(_))) {
                break;
            }
        }
        let (place, result) = match game.status() {
            Status::Won(Colour::White) => (0, 1.0),
            Status::Won(Colour::Black) => (2, 0.0),
            Status::Drawn(_) | Status::Ongoing => (1, 0.5),
        };
        results[place] += 1;
        let last = game.positions().len() - 1;
        let used = game.positions()[..last].iter().skip(plies + SKIP);
        samples.extend(used.filter_map(|position| sampler.sample(position, result)));
        if (number + 1) % 100 == 0 {
            writeln!(environment.output, "{} games, {} positions", number + 1, samples.len())?;
            environment.output.flush()?;
        }
    }
    let [wins, draws, losses] = results;
    writeln!(environment.output, "White +{wins} ={draws} -{losses}, {} quiet positions", samples.len())?;
    let start: Weights = options.settings.weights;
    let fitted = fit(&samples, &start, ridge)
        .ok_or_else(|| Failure::Failed("tune: by these games a pawn is worth nothing".to_owned()))?;
    let Weights { material, between, central, face, aggressive, coverage, mobility, siege, threat } =
        fitted.weights;
    writeln!(
        environment.output,
        "loss {:.5} before, {:.5} after\nmaterial {material}\nmobility={mobility},kaggressive={aggressive},\
         kface={face},pbetween={between},pcentral={central},lcoverage={coverage},siege={siege},threat={threat}\ntempo {}",
        fitted.before, fitted.after, fitted.tempo
    )?;
    Ok(())
}
