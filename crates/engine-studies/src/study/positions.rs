//! Positions to search, and what is expected there.

use std::cmp::Ordering;
use std::path::Path;

use chess::epd::{Epd, Operand};
use chess::{Game, Move, Position};

use experiment::store::Row;
use match_runner::files::read_text;
use match_runner::player::Iteration;
use protocol::client::info::ReportedScore;

/// What a suite says about a position; all empty for a position without a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub best: Vec<Move>,
    pub avoid: Vec<Move>,
    /// Moves to mate; negative when the side to move is mated.
    pub mate: Option<i32>,
    /// Points for moves, as the Strategic Test Suite gives them.
    pub points: Vec<(Move, u32)>,
}

/// What a search said where a mate of known length was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateClaim {
    /// A mate of the known length.
    Known,
    /// A mate that is longer than need be.
    Longer,
    /// A shorter mate than anyone knows, or one for the wrong side: a mistake, or news.
    Contradicted,
    /// No mate was claimed.
    None,
}

impl MateClaim {
    const ALL: [Self; 4] = [Self::Known, Self::Longer, Self::Contradicted, Self::None];

    /// The word rows keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Longer => "longer",
            Self::Contradicted => "contradicted",
            Self::None => "none",
        }
    }

    /// The claim a row's word stands for.
    pub fn parse(word: &str) -> Option<Self> {
        // The word of earlier stores.
        let word = if word == "doubtful" { "contradicted" } else { word };
        Self::ALL.into_iter().find(|claim| claim.as_str() == word)
    }
}

/// One position of a file.
#[derive(Clone, Debug)]
pub struct Task {
    pub id: String,
    pub position: Position,
    pub expected: Expected,
}

impl Expected {
    /// Whether anything is asked.
    pub fn is_question(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some()
    }

    /// Whether a move with its score answers the question.
    pub fn is_solved(&self, mv: Option<Move>, score: Option<ReportedScore>) -> bool {
        let Some(mv) = mv else { return false };
        let mates = match (self.mate, score) {
            (None, _) => true,
            (Some(wanted), Some(ReportedScore::Mate(found))) => {
                found.signum() == wanted.signum() && found.abs() <= wanted.abs()
            }
            (Some(_), _) => false,
        };
        mates && (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// What a score claims about the mate that is asked for; `None` where none is.
    pub fn mate_claim(&self, score: Option<ReportedScore>) -> Option<MateClaim> {
        let wanted = self.mate?;
        let Some(ReportedScore::Mate(found)) = score else { return Some(MateClaim::None) };
        Some(match found.abs().cmp(&wanted.abs()) {
            _ if found.signum() != wanted.signum() => MateClaim::Contradicted,
            Ordering::Less => MateClaim::Contradicted,
            Ordering::Equal => MateClaim::Known,
            Ordering::Greater => MateClaim::Longer,
        })
    }

    /// Points for a move: those of the suite, or all for the solution.
    pub fn points(&self, mv: Option<Move>, solved: bool) -> u32 {
        if self.points.is_empty() {
            return if solved { 100 } else { 0 };
        }
        self.points.iter().find(|(known, _)| Some(*known) == mv).map_or(0, |(_, points)| *points)
    }
}

impl Task {
    /// The depth from which on the search stayed with the solution, and when that was.
    pub fn solved_since<'a>(&self, iterations: &'a [Iteration]) -> Option<&'a Iteration> {
        let right = |iteration: &&Iteration| {
            let mv = self.position.parse_uci(&iteration.best).ok();
            self.expected.is_solved(mv, Some(iteration.score))
        };
        iterations.iter().rev().take_while(right).last()
    }
}

/// Reads an EPD file; `limit` takes the first so many.
pub fn read(path: &Path, limit: Option<usize>) -> Result<Vec<Task>, String> {
    let text = read_text(path)?;
    let mut tasks: Vec<Task> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if limit.is_some_and(|limit| tasks.len() >= limit) {
            break;
        }
        let mut task =
            read_line(line).map_err(|reason| format!("{}: line {}: {reason}", path.display(), number + 1))?;
        if task.id.is_empty() || tasks.iter().any(|other| other.id == task.id) {
            let number = tasks.len() + 1;
            task.id = if task.id.is_empty() { number.to_string() } else { format!("{}#{number}", task.id) };
        }
        tasks.push(task);
    }
    if tasks.is_empty() {
        return Err(format!("{}: holds no position", path.display()));
    }
    Ok(tasks)
}

/// The positions that rows were measured on, without their questions: those are answered in the rows.
pub fn of_rows(rows: &[Row]) -> Result<Vec<Task>, String> {
    let mut tasks: Vec<Task> = Vec::new();
    for row in rows {
        let (Some(id), Some(fen)) = (row.text("position"), row.text("fen")) else { continue };
        if tasks.iter().all(|task| task.id != id) {
            let position = Position::from_fen(fen).map_err(|error| format!("row '{}': {error}", row.task))?;
            tasks.push(Task { id: id.to_owned(), position, expected: Expected::default() });
        }
    }
    Ok(tasks)
}

fn read_line(line: &str) -> Result<Task, String> {
    let epd = Epd::parse(line).map_err(|error| error.to_string())?;
    if Game::new(epd.position.clone()).outcome().is_some_and(|ending| ending.winner().is_some()) {
        return Err("the game is already over here".to_owned());
    }
    // `bm #5` asks for a mate in five, not for a move.
    let first = epd.operation("bm").and_then(|operation| operation.operands.first()).map(Operand::as_str);
    let mate = first.and_then(|word| word.strip_prefix('#')).and_then(|word| word.parse().ok());
    let mate = mate.or_else(|| epd.number("dm").map(|moves| moves as i32));
    let asked = |found: Result<Vec<Move>, chess::epd::EpdMoveError>| found.map_err(|error| error.to_string());
    let best =
        if first.is_some_and(|word| word.starts_with('#')) { Vec::new() } else { asked(epd.best_moves())? };
    let avoid = asked(epd.avoid_moves())?;
    let points = epd.text("c0").map_or_else(Vec::new, |text| points(&epd.position, text));
    let id = epd.id().unwrap_or("").to_owned();
    Ok(Task { id, position: epd.position, expected: Expected { best, avoid, mate, points } })
}

/// `f5=100, Bf2=46`: whatever does not look like that is a remark.
fn points(position: &Position, text: &str) -> Vec<(Move, u32)> {
    text.split(',')
        .filter_map(|part| {
            let (mv, points) = part.trim().rsplit_once('=')?;
            Some((position.parse_san(mv.trim()).ok()?, points.trim().parse().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

    fn task(operations: &str) -> Task {
        read_line(&format!("{MATE_IN_ONE} {operations}")).unwrap()
    }

    fn mv(text: &str) -> Option<Move> {
        task("").position.parse_uci(text).ok()
    }

    #[test]
    fn questions_of_every_kind() {
        let best = task("bm Rd8#; id \"x\";");
        assert!(best.expected.is_solved(mv("d1d8"), None) && !best.expected.is_solved(mv("d1d7"), None));
        assert_eq!(best.id, "x");
        let avoid = task("am Rd7;");
        assert!(avoid.expected.is_solved(mv("d1d8"), None) && !avoid.expected.is_solved(mv("d1d7"), None));
        let mate = task("bm #1;");
        assert!(mate.expected.is_solved(mv("d1d8"), Some(ReportedScore::Mate(1))));
        assert!(!mate.expected.is_solved(mv("d1d8"), Some(ReportedScore::Mate(2))));
        let claim = |score| mate.expected.mate_claim(Some(score));
        assert_eq!(claim(ReportedScore::Mate(1)), Some(MateClaim::Known));
        assert_eq!(claim(ReportedScore::Mate(2)), Some(MateClaim::Longer));
        assert_eq!(claim(ReportedScore::Mate(-1)), Some(MateClaim::Contradicted));
        assert_eq!(claim(ReportedScore::Centipawns(900)), Some(MateClaim::None));
        assert_eq!(task("bm Rd8;").expected.mate_claim(Some(ReportedScore::Mate(1))), None);
        assert!(!mate.expected.is_solved(mv("d1d8"), Some(ReportedScore::Centipawns(900))));
        let scored = task("bm Rd8; c0 \"Rd8=100, Rd7=40, h3=5\";");
        assert_eq!(scored.expected.points(mv("d1d7"), false), 40);
        assert_eq!(scored.expected.points(mv("a2a3"), false), 0);
        assert!(!task("").expected.is_question());
    }

    #[test]
    fn the_time_to_a_solution_is_when_the_search_stayed_with_it() {
        let task = task("bm Rd8;");
        let iteration = |depth: u32, best: &str| Iteration {
            depth,
            score: ReportedScore::Centipawns(0),
            nodes: None,
            at: Duration::from_millis(u64::from(depth)),
            best: best.to_owned(),
            table_used: None,
        };
        let search = ["d1d8", "d1d7", "d1d8", "d1d8"];
        let search: Vec<Iteration> = (1..).zip(search).map(|(depth, best)| iteration(depth, best)).collect();
        assert_eq!(task.solved_since(&search).map(|found| found.depth), Some(3));
        assert_eq!(task.solved_since(&search[..2]), None);
    }

    #[test]
    fn a_broken_line_is_named() {
        let path = std::env::temp_dir().join(format!("tabiya-lab-suite-{}.epd", std::process::id()));
        std::fs::write(&path, format!("{MATE_IN_ONE} bm Rd8;\n{MATE_IN_ONE} bm Qh9;\n")).unwrap();
        let error = read(&path, None).unwrap_err();
        let limited = read(&path, Some(1));
        std::fs::remove_file(&path).unwrap();
        assert!(error.contains("line 2"), "{error}");
        assert_eq!(limited.unwrap()[0].id, "1");
    }
}
