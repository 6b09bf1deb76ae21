//! What a tournament is, read from its description.

use std::path::PathBuf;
use std::time::Duration;

use experiment::conditions::{read_adjudication, read_openings, read_tables};
use experiment::engine::{EngineSpec, conditions_of, read_seconds};
use experiment::spec::{Node, Reader, Spec};
use match_runner::game::Conditions;
use match_runner::openings::Openings;
use match_runner::schedule::{Format, Schedule, Shard};
use stats::sprt::{Model, Sprt};

/// Which question the games answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// How do two engines compare over a fixed number of games?
    Match,
    /// Is the first engine stronger than the second? Play until that is known.
    Sprt,
    /// How do several engines rank?
    Ratings,
    /// How does an engine's rating grow with its threads, against a pool of known ratings?
    ThreadsElo,
}

impl Kind {
    /// The command's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Sprt => "sprt",
            Self::Ratings => "ratings",
            Self::ThreadsElo => "threads-elo",
        }
    }

    /// Reads what [`Self::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Match, Self::Sprt, Self::Ratings, Self::ThreadsElo]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// The word in a description that says its games were not played here.
pub const IMPORTED: &str = "imported";

/// Parts of the description that may change when a run is resumed.
pub const VOLATILE: [&str; 9] =
    ["pairs", "games", "concurrency", "pin", "shard", "patience", "max_faults", "engine_log", "live"];

/// One engine under study at one number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    pub subject: String,
    pub threads: u32,
    /// Its place among the engines.
    pub engine: usize,
}

/// A tournament, checked.
#[derive(Clone, Debug)]
pub struct Tournament {
    pub kind: Kind,
    pub name: String,
    pub engines: Vec<EngineSpec>,
    pub schedule: Schedule,
    pub openings: Openings,
    pub openings_name: String,
    pub conditions: Conditions,
    pub concurrency: usize,
    /// The folder for what engines say, a file for each game.
    pub engine_log: Option<PathBuf>,
    /// Draw the table again in place after every game.
    pub live: bool,
    /// Every game stays on a core of its own.
    pub pinned: bool,
    pub shard: Shard,
    /// For [`Kind::Sprt`].
    pub sprt: Option<Sprt>,
    /// For [`Kind::ThreadsElo`]: the engines under study, which come first.
    pub ladder: Vec<Rung>,
    /// The rating a K-factor series begins with.
    pub initial: f64,
    /// The mean of a rating list without anchors.
    pub mean: f64,
    /// Games in a row an engine may spoil before the run is stopped.
    pub max_faults: u32,
}

impl Tournament {
    /// Reads and checks a description; opens the book.
    pub fn read(kind: Kind, spec: &Spec) -> Result<Self, String> {
        Self::read_with(kind, spec, true)
    }

    /// The same for games already played: the book is not needed and may be gone.
    pub fn recall(kind: Kind, spec: &Spec) -> Result<Self, String> {
        Self::read_with(kind, spec, false)
    }

    fn read_with(kind: Kind, spec: &Spec, to_play: bool) -> Result<Self, String> {
        let place = kind.as_str();
        let mut reader = spec.clone().reader(place);
        let _ = reader.text("experiment")?;
        if reader.switch(IMPORTED)? && to_play {
            return Err(format!("{place}: these games were imported; there is nothing to play"));
        }
        let each = reader.table("each")?.unwrap_or_default();
        let (mut engines, ladder) = read_subjects(kind, &mut reader, &each)?;
        let pool = reader
            .tables("engine")?
            .into_iter()
            .enumerate()
            .map(|(number, own)| EngineSpec::read(own, &each, &format!("{place}: engine {}", number + 1)))
            .collect::<Result<Vec<_>, _>>()?;
        if kind == Kind::ThreadsElo
            && let Some(unrated) = pool.iter().find(|engine| engine.rating.is_none())
        {
            return Err(format!("{place}: opponent '{}' has no rating=", unrated.name));
        }
        engines.extend(pool);
        check_engines(kind, &engines)?;
        let known: Vec<f64> = engines.iter().filter_map(|engine| engine.rating).collect();
        let initial = reader.number("initial")?;
        let initial = initial.unwrap_or_else(|| known.iter().sum::<f64>() / known.len().max(1) as f64);
        let swiss_rounds = reader.value("swiss_rounds", "a whole number")?;
        let format = match reader.text("format")?.as_deref() {
            None if kind == Kind::ThreadsElo => Format::Challengers(ladder.len()),
            None | Some("roundrobin") => Format::RoundRobin,
            Some("gauntlet") => Format::Gauntlet,
            Some("ladder") => Format::Ladder,
            Some("swiss") => Format::Swiss(swiss_rounds.unwrap_or_else(|| default_swiss_rounds(engines.len()))),
            Some("knockout") => Format::Knockout,
            Some(other) => {
                return Err(format!(
                    "{place}: format = '{other}', expected roundrobin, gauntlet, ladder, swiss or knockout"
                ));
            }
        };
        let pairs: Option<u64> = reader.value("pairs", "a whole number")?;
        let games: Option<u64> = reader.value("games", "a whole number")?;
        let rounds = rounds(kind, pairs, games)?;
        let seed = reader.value("seed", "a whole number")?.unwrap_or(1);
        let chess960 = reader.switch("chess960")?;
        let (openings, openings_name) = read_openings(reader.table("openings")?, seed, place, to_play)?;
        let adjudication = read_adjudication(&mut reader)?;
        let tables = read_tables(reader.table("tables")?, place, to_play)?;
        let pinned = reader.switch("pin")?;
        let patience = read_seconds(&mut reader, "patience", place)?;
        let forgive_stolen = reader.switch("forgive_stolen")?;
        let sprt = match (kind, reader.table("sprt")?) {
            (Kind::Sprt, spec) => Some(read_sprt(spec.unwrap_or_default())?),
            (_, None) => None,
            (_, Some(_)) => return Err(format!("{place}: a table 'sprt' belongs to the experiment sprt")),
        };
        let name = reader.text("name")?.unwrap_or_else(|| default_name(kind, &engines));
        let concurrency = reader.value("concurrency", "a whole number")?.unwrap_or(1_usize);
        let engine_log = reader.text("engine_log")?.map(PathBuf::from);
        let live = reader.switch("live")?;
        let shard = reader.explained("shard")?.unwrap_or(Shard::ALL);
        if shard != Shard::ALL && matches!(format, Format::Swiss(_) | Format::Knockout) {
            return Err(format!("{place}: who meets whom depends on results, so this format cannot be split"));
        }
        let mean = reader.number("mean")?.unwrap_or(0.0);
        let max_faults = reader.value("max_faults", "a whole number")?.unwrap_or(5);
        reader.finish()?;
        if pinned && let Some(engine) = engines.iter().find(|engine| engine.threads() > 1) {
            return Err(format!(
                "{place}: pin keeps every game on one core, but {} has {} threads",
                engine.name,
                engine.threads()
            ));
        }
        if concurrency == 0 {
            return Err(format!("{place}: concurrency = 0, expected at least one game at a time"));
        }
        // A timed engine that is this late will not come back; an untimed one may think for long.
        let untimed =
            engines.iter().any(|engine| engine.limits.clock.is_none() && engine.limits.movetime.is_none());
        let patience = patience.unwrap_or(Duration::from_secs(if untimed { 300 } else { 10 }));
        Ok(Self {
            kind,
            name,
            schedule: Schedule::new(engines.len(), format, rounds),
            engines,
            openings,
            openings_name,
            conditions: Conditions { adjudication, tables, chess960, patience, forgive_stolen },
            pinned,
            concurrency,
            engine_log,
            live,
            shard,
            sprt,
            ladder,
            initial,
            mean,
            max_faults,
        })
    }

    /// The line that heads a result, as fastchess prints it.
    pub fn heading(&self) -> String {
        match self.engines.as_slice() {
            [first, second] => {
                let (one, other) = (first.conditions(), second.conditions());
                let conditions = if one == other { one } else { format!("{one} vs {other}") };
                format!("{} vs {} ({conditions}, {})", first.name, second.name, self.openings_name)
            }
            engines => {
                format!("{} engines ({}, {})", engines.len(), conditions_of(engines), self.openings_name)
            }
        }
    }
}

/// The engines under study, one for each number of threads.
fn read_subjects(kind: Kind, reader: &mut Reader, each: &Spec) -> Result<(Vec<EngineSpec>, Vec<Rung>), String> {
    let place = kind.as_str();
    let subjects = {
        // `hero` is the key of earlier files and stores.
        let mut tables = reader.tables("subject")?;
        tables.extend(reader.tables("hero")?);
        tables
    };
    let words = reader.words("threads")?;
    let option = reader.text("threads_option")?.unwrap_or_else(|| "Threads".to_owned());
    if kind != Kind::ThreadsElo {
        let stray = !subjects.is_empty() || !words.is_empty();
        return if stray {
            Err(format!("{place}: subject and threads belong to the experiment threads-elo"))
        } else {
            Ok((Vec::new(), Vec::new()))
        };
    }
    let mut threads: Vec<u32> = Vec::new();
    for word in words.iter().flat_map(|word| word.split(',')) {
        match word.trim().parse() {
            Ok(count) if count > 0 => threads.push(count),
            _ => return Err(format!("{place}: threads = '{word}', expected numbers such as 1,2,4")),
        }
    }
    if subjects.is_empty() || threads.is_empty() {
        return Err(format!(
            "{place}: expected subject= and threads=, the engine under study and its numbers of threads"
        ));
    }
    let (mut engines, mut ladder) = (Vec::new(), Vec::new());
    for (number, subject) in subjects.into_iter().enumerate() {
        for &count in &threads {
            let mut own = subject.clone();
            own.set_in("options", &option, Node::Text(count.to_string()));
            let mut engine = EngineSpec::read(own, each, &format!("{place}: subject {}", number + 1))?;
            ladder.push(Rung { subject: engine.name.clone(), threads: count, engine: engines.len() });
            engine.name = format!("{} {count}t", engine.name);
            engines.push(engine);
        }
    }
    Ok((engines, ladder))
}

fn check_engines(kind: Kind, engines: &[EngineSpec]) -> Result<(), String> {
    let place = kind.as_str();
    let enough = match kind {
        Kind::Match | Kind::Sprt => engines.len() == 2,
        Kind::Ratings | Kind::ThreadsElo => engines.len() >= 2,
    };
    if !enough {
        let expected = if matches!(kind, Kind::Ratings | Kind::ThreadsElo) { "two or more" } else { "two" };
        return Err(format!("{place}: {} engines, expected {expected}", engines.len()));
    }
    for (place_of, engine) in engines.iter().enumerate() {
        if engines[..place_of].iter().any(|other| other.name == engine.name) {
            return Err(format!(
                "{place}: two engines are called '{}', expected different names",
                engine.name
            ));
        }
    }
    Ok(())
}

/// As many rounds as a knockout would have: enough to find the best of the field.
fn default_swiss_rounds(engines: usize) -> u64 {
    u64::from(engines.max(2).next_power_of_two().trailing_zeros())
}

fn rounds(kind: Kind, pairs: Option<u64>, games: Option<u64>) -> Result<u64, String> {
    let place = kind.as_str();
    let rounds = match (pairs, games) {
        (Some(_), Some(_)) => return Err(format!("{place}: both pairs and games, expected one of them")),
        (Some(pairs), None) => pairs,
        (None, Some(games)) if games % 2 == 1 => {
            return Err(format!(
                "{place}: games = {games}, expected an even number: openings are played twice"
            ));
        }
        (None, Some(games)) => games / 2,
        // AlphaDeepChess plays 50 openings twice; a sequential test ends by itself long before its limit.
        (None, None) => {
            if kind == Kind::Sprt {
                50_000
            } else {
                50
            }
        }
    };
    if rounds == 0 || rounds > 100_000_000 {
        return Err(format!("{place}: {rounds} pairs, expected at least one and at most 100 million"));
    }
    Ok(rounds)
}

fn default_name(kind: Kind, engines: &[EngineSpec]) -> String {
    match engines {
        [first, second] => format!("{} vs {}", first.name, second.name),
        _ => format!("{} of {} engines", kind.as_str(), engines.len()),
    }
}

fn read_sprt(spec: Spec) -> Result<Sprt, String> {
    let mut reader = spec.reader("sprt");
    let mut number =
        |name: &str, default: f64| Ok::<f64, String>(reader.value(name, "a number")?.unwrap_or(default));
    let (elo0, elo1) = (number("elo0", 0.0)?, number("elo1", 5.0)?);
    let (alpha, beta) = (number("alpha", 0.05)?, number("beta", 0.05)?);
    let model = match reader.text("model")?.as_deref() {
        None | Some("normalised" | "normalized") => Model::Normalised,
        Some("logistic") => Model::Logistic,
        Some(other) => return Err(format!("sprt: model = '{other}', expected normalised or logistic")),
    };
    reader.finish()?;
    Sprt::new(elo0, elo1, alpha, beta, model)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str =
        "[each]\nnodes = 100\n[[engine]]\nname = \"a\"\ncmd = \"x\"\n[[engine]]\nname = \"b\"\ncmd = \"y\"\n";

    fn read(kind: Kind, text: &str) -> Result<Tournament, String> {
        Tournament::read(kind, &Spec::from_toml(text).unwrap())
    }

    #[test]
    fn defaults_of_a_match_are_those_of_the_seed() {
        let tournament = read(Kind::Match, TWO).unwrap();
        assert_eq!((tournament.schedule.games(), tournament.concurrency), (100, 1));
        assert_eq!(tournament.heading(), "a vs b (100 nodes, 1t, default hash, start position)");
        assert_eq!(tournament.conditions.patience, Duration::from_secs(300));
    }

    #[test]
    fn a_ladder_has_one_engine_for_each_number_of_threads() {
        let text = "threads = \"1,2\"\n[each]\nnodes = 5\n[[subject]]\nname = \"h\"\ncmd = \"x\"\n[[engine]]\nname = \"p\"\ncmd = \"y\"\n";
        assert!(read(Kind::ThreadsElo, text).unwrap_err().contains("'p' has no rating="));
        let tournament = read(Kind::ThreadsElo, &format!("{text}rating = 2900\n")).unwrap();
        let names: Vec<&str> = tournament.engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["h 1t", "h 2t", "p"]);
        assert_eq!((tournament.initial, tournament.schedule.meetings()), (2900.0, 2));
        assert_eq!(tournament.heading(), "3 engines (5 nodes, 1t/2t, default hash, start position)");
        assert_eq!(tournament.engines[1].threads(), 2);
    }

    #[test]
    fn swiss_and_knockout_count_their_meetings() {
        let engines: Vec<String> =
            (0..5).map(|name| format!("[[engine]]\nname = \"{name}\"\ncmd = \"x\"\n")).collect();
        let engines = engines.concat();
        let games = |format: &str| {
            let text = format!("format = \"{format}\"\npairs = 2\n[each]\nnodes = 1\n{engines}");
            read(Kind::Ratings, &text).unwrap().schedule.games()
        };
        // 3 rounds of 2 meetings with 2 pairs; 4 meetings.
        assert_eq!((games("swiss"), games("knockout")), (24, 16));
        let text = format!("format = \"swiss\"\nshard = \"1/2\"\n[each]\nnodes = 1\n{engines}");
        assert!(read(Kind::Ratings, &text).unwrap_err().contains("cannot be split"));
    }

    #[test]
    fn played_games_need_no_book() {
        let text = format!("openings = {{ file = \"/no/book.epd\" }}\n{TWO}");
        let tournament = Tournament::recall(Kind::Match, &Spec::from_toml(&text).unwrap()).unwrap();
        assert_eq!(tournament.openings_name, "book.epd");
    }

    #[test]
    fn contradictions_are_refused() {
        let with = |head: &str| format!("{head}\n{TWO}");
        for (kind, text, reason) in [
            (Kind::Match, with("pairs = 3\ngames = 6"), "both pairs and games"),
            (Kind::Match, with("games = 7"), "even number"),
            (Kind::Match, with("pairs = 0"), "at least one"),
            (Kind::Match, with("concurrency = 0"), "at least one game"),
            (Kind::Match, with("sprt = { elo0 = 1 }"), "belongs to the experiment sprt"),
            (Kind::Sprt, with("sprt = { elo0 = 5, elo1 = 0 }"), "the first below the second"),
            (Kind::Match, with("openings = { file = \"/no/book.epd\" }"), "/no/book.epd"),
            (Kind::Match, with("openings = { order = \"random\" }"), "without a file"),
            (Kind::Match, with("shard = \"5/4\""), "shard '5/4'"),
            (Kind::Ratings, "[each]\nnodes = 1\n".to_owned(), "expected two or more"),
            (Kind::Match, TWO.replace("\"b\"", "\"a\""), "called 'a'"),
            (Kind::Match, with("resign = { moves = 0 }"), "above zero"),
            (Kind::Match, with("threads = [1, 2]"), "belong to the experiment threads-elo"),
            (Kind::ThreadsElo, with("threads = [1, 2]"), "expected subject="),
        ] {
            let error = read(kind, &text).unwrap_err();
            assert!(error.contains(reason), "{reason}: {error}");
        }
    }
}
