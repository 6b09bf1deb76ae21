//! `tabiya tune`: reads games, fits, writes weights and a report.

use crate::canonical;
use crate::dataset::Dataset;
use crate::extract;
use crate::fit::{self, Steepness};
use crate::model;
use crate::options::{HELP, Options, Source};
use crate::report::{Figures, SourceFigures};
use crate::weights_file;
use common::{Random, escape_control};
use data::game_lines;
use eval::hce::features::COUNT;
use eval::hce::{Coefficients, Weights};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Why a fit did not happen.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// It made sense but could not be done.
    Failed(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Failed(error.to_string())
    }
}

/// The positions of all files, split by game.
struct Loaded {
    training: Dataset,
    held_out: Dataset,
    sources: Vec<SourceFigures>,
}

/// Runs the command: results to `out`, progress to `err`.
pub fn run(arguments: &[String], out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        out.write_all(HELP.as_bytes())?;
        return Ok(());
    }
    let options = Options::parse(arguments).map_err(Failure::Usage)?;
    let settings = &options.settings;
    let threads = settings.threads;
    let loaded = load(&options, err)?;
    let Loaded { training, held_out, mut sources } = loaded;
    if training.is_empty() || held_out.is_empty() {
        return Err(Failure::Failed("no positions to fit on, expected finished games".to_string()));
    }
    writeln!(
        err,
        "{} training and {} held-out positions, {} MiB",
        training.len(),
        held_out.len(),
        (training.bytes() + held_out.bytes()) >> 20
    )?;

    let mut weights = model::from_weights(&Weights::FITTED);
    let mut steepness: Steepness =
        (0..sources.len()).map(|source| fit::fit_steepness(&training, &weights, source, threads)).collect();
    let before = fit::mean_error(&held_out, &weights, &steepness, threads);
    writeln!(err, "before: held-out {before:.6}, steepness {steepness:?}")?;
    for (number, source) in sources.iter_mut().enumerate() {
        source.steepness[0] = steepness[number];
        source.error[0] = fit::source_error(&held_out, &weights, number, steepness[number], threads);
    }
    let training_before = fit::mean_error(&training, &weights, &steepness, threads);
    // What the weights were scaled to before does not matter: from here on a centipawn means this.
    let rescale = steepness[0] / options.steepness;
    canonical::rescale(&mut weights, rescale);
    for steepness in &mut steepness {
        *steepness /= rescale;
    }
    let mut said = Ok(());
    fit::fit(&training, &held_out, &mut weights, &mut steepness, settings, |epoch| {
        let line = writeln!(
            err,
            "epoch {:3}: training {:.6}, held-out {:.6}",
            epoch.number, epoch.training, epoch.held_out
        );
        said = said.as_ref().map_err(io::Error::kind).map_or_else(|kind| Err(kind.into()), |()| line);
    });
    said?;
    canonical::centre_tables(&mut weights, &training);

    for (number, source) in sources.iter_mut().enumerate() {
        source.steepness[1] = steepness[number];
        source.error[1] = fit::source_error(&held_out, &weights, number, steepness[number], threads);
    }
    let rounded = model::to_weights(&weights);
    let figures = Figures {
        sources,
        weights: COUNT,
        training_error: [training_before, fit::mean_error(&training, &weights, &steepness, threads)],
        held_out_error: [before, fit::mean_error(&held_out, &weights, &steepness, threads)],
        rounded_error: fit::mean_error(&held_out, &model::from_weights(&rounded), &steepness, threads),
        epochs: settings.epochs,
        command: command(arguments),
    };
    if let Some(path) = &options.out {
        write(path, &weights_file::rust(&rounded, &figures.origin()))?;
    }
    let text = figures.markdown();
    if let Some(path) = &options.report {
        write(path, &text)?;
    }
    out.write_all(text.as_bytes())?;
    Ok(())
}

/// The command as anybody may repeat it: files by name, without the folders of this machine.
fn command(arguments: &[String]) -> String {
    let name = |word: &String| word.rsplit('/').next().unwrap_or(word).to_string();
    format!("tabiya tune {}", arguments.iter().map(name).collect::<Vec<_>>().join(" "))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::Failed(format!("{}: {error}", escape_control(&path.to_string_lossy()))))
}

fn load(options: &Options, err: &mut dyn Write) -> Result<Loaded, Failure> {
    let mut loaded =
        Loaded { training: Dataset::default(), held_out: Dataset::default(), sources: Vec::new() };
    for (number, source) in options.sources.iter().enumerate() {
        load_source(options, source, number as u8, &mut loaded, err)?;
    }
    Ok(loaded)
}

fn load_source(
    options: &Options,
    source: &Source,
    number: u8,
    loaded: &mut Loaded,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut figures = SourceFigures {
        name,
        games: 0,
        unreadable: 0,
        training: 0,
        held_out: 0,
        steepness: [0.0; 2],
        error: [0.0; 2],
    };
    let selection = options.selection(source);
    let mut random = Random::new(options.settings.seed ^ u64::from(number) << 32);
    let mut first_error = None;
    let mut full = false;
    game_lines::read(&source.path, |game| {
        figures.games += 1;
        // Whole games are kept out, so that no position is judged by what its neighbours taught.
        let keep_out = random.next_u64().is_multiple_of(options.held_out);
        let positions = match extract::positions(&game, &selection, &mut random) {
            Ok(positions) => positions,
            Err(error) => {
                figures.unreadable += 1;
                first_error.get_or_insert((figures.games, error));
                return;
            }
        };
        for sample in positions {
            let Some(coefficients) = Coefficients::new(&sample.position) else { continue };
            let expected = sample.evaluation.map(|score| 1.0 / (1.0 + (-options.steepness * score).exp()));
            let label = expected
                .map_or(game.result, |points| source.blend * points + (1.0 - source.blend) * game.result);
            let (data, count) = if keep_out {
                (&mut loaded.held_out, &mut figures.held_out)
            } else {
                (&mut loaded.training, &mut figures.training)
            };
            if data.push(&coefficients, label, number) {
                *count += 1;
            } else {
                full = true;
            }
        }
    })
    .map_err(|error| Failure::Failed(error.to_string()))?;
    if let Some((game, error)) = first_error {
        writeln!(
            err,
            "{}: {} games left out, the first is game {game}, ply {}: {}",
            figures.name,
            figures.unreadable,
            error.ply,
            escape_control(&error.reason)
        )?;
    }
    if full {
        writeln!(err, "{}: more positions than the store holds; the rest is left out", figures.name)?;
    }
    loaded.sources.push(figures);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// Sixty short games in which White wins whenever a queen is given away, through the whole command.
    #[test]
    fn from_a_file_of_games_to_weights() {
        let folder = std::env::temp_dir().join(format!("tabiya-tune-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let games = folder.join("games.tsv");
        let mut text = String::new();
        for i in 0..60 {
            let (moves, result) = match i % 3 {
                0 => ("e2e4 e7e5 g1f3 d8g5 f3g5 b8c6 b1c3 g8f6 d2d3 f8e7 c1e3 e8g8", "1-0"),
                1 => ("e2e4 e7e5 d1h5 g8f6 b1c3 f6h5 g1f3 b8c6 d2d3 f8e7 c1e3 e8g8", "0-1"),
                _ => ("e2e4 e7e5 g1f3 b8c6 b1c3 g8f6 d2d3 f8e7 c1e3 d7d6 f1e2 e8g8", "1/2-1/2"),
            };
            writeln!(text, "t\ta\tb\t-\t-\t-\t-\t{result}\t-\t-\t{moves}\t-\t-").unwrap();
        }
        text += "t\ta\tb\t-\t-\t-\t-\t1-0\t-\t-\te2e5\t-\t-\n";
        fs::write(&games, text).unwrap();
        let (weights, report) = (folder.join("weights.rs"), folder.join("report.md"));
        let arguments = [
            games.display().to_string(),
            "--book-plies".into(),
            "7".into(),
            "--epochs".into(),
            "2".into(),
            "--out".into(),
            weights.display().to_string(),
            "--report".into(),
            report.display().to_string(),
        ];
        let (mut out, mut err) = (Vec::new(), Vec::new());
        run(&arguments, &mut out, &mut err).unwrap();
        let said = String::from_utf8(err).unwrap();
        assert!(said.contains("1 games left out, the first is game 61, ply 0"), "{said}");
        assert!(said.contains("epoch   2: training 0.0"), "{said}");
        assert!(fs::read_to_string(&weights).unwrap().contains("(\"MATERIAL\", &["));
        assert_eq!(fs::read(&report).unwrap(), out);
        fs::remove_dir_all(&folder).unwrap();
    }
}
