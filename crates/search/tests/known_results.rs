//! Searches of positions whose results are known, ended at random node counts and in every way of searching together:
//! no reported score may contradict the known result.
//!
//! What contradicts it: a mate for the side that is mated, a mate in fewer moves than the shortest one, and a mate or a
//! table-base result where the result is a draw. A heuristic score contradicts nothing. A lower bound claims a win, an upper
//! bound a loss; the other way round a bound claims nothing.
//!
//! The short form runs with every `cargo test`. The long form takes minutes:
//!
//! ```sh
//! cargo test --release -p search --test known_results -- --ignored --nocapture
//! ```
//!
//! The tables of 3 and 4 men are in `data/syzygy`; `TABIYA_SYZYGY` may name another folder.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use chess::{Game, Move, Position};
use common::Random;
use kernel::clock::ManualClock;
use kernel::sched::{Parallel, SplitSettings, VirtualSettings};
use kernel::{Bound, Event, Kind, Limits, Release, Score};
use search::{SearchPool, SearchPoolSettings, TablebaseResult, TablebaseSettings, Tablebases};
use shakmaty_syzygy::Tablebase;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Nodes at which the shortest search ends, and the factor up to the longest.
const FEWEST_NODES: f64 = 5.0;

/// What is known about a position, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Mate in so many moves, and in no fewer.
    Win(u32),
    /// Mated in so many moves, and not sooner.
    Loss(u32),
    Draw,
}

/// Why a score contradicts what is known; `None` when it does not.
fn contradiction(known: Known, score: Score, bound: Bound) -> Option<String> {
    let moves = |plies: u32| plies.div_ceil(2);
    let claims_nothing = match bound {
        Bound::Lower => !score.is_win(),
        Bound::Upper => !score.is_loss(),
        _ => false,
    };
    if claims_nothing {
        return None;
    }
    let holds = match (score.kind(), known) {
        (Kind::Centipawns(_), _)
        | (Kind::TableWin(_), Known::Win(_))
        | (Kind::TableLoss(_), Known::Loss(_)) => true,
        (Kind::MateIn(plies), Known::Win(least)) | (Kind::MatedIn(plies), Known::Loss(least)) => {
            moves(plies) >= least
        }
        _ => false,
    };
    (!holds).then(|| format!("{:?} where {known:?} is known", score.kind()))
}

/// A way of searching together: workers in virtual time, so that a failure can be repeated.
fn settings(way: Parallel, workers: usize, seed: u64) -> SearchPoolSettings {
    let virtual_time = Some(VirtualSettings { workers, quantum: 7, seed, ..VirtualSettings::default() });
    SearchPoolSettings {
        parallel: way,
        virtual_time: virtual_time.filter(|_| workers > 1),
        split: SplitSettings { min_depth: 1, ..SplitSettings::default() },
        team_size: 2,
        defer_depth: 1,
        ..SearchPoolSettings::default()
    }
}

/// Searches to a node count and collects what contradicts the known result.
fn check(pool: &mut SearchPool<Release>, position: &Position, known: Known, nodes: u64) -> Vec<String> {
    let mut found = Vec::new();
    pool.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = pool.search(&Game::new(position.clone()), &[], limits, &mut |event: Event<'_, Move>| {
        if let Event::Info(info) = event {
            found.extend(contradiction(known, info.score, info.bound));
        }
    });
    found.extend(contradiction(known, outcome.score, outcome.bound));
    if outcome.best.is_none_or(|best| !position.is_legal(best)) {
        found.push(format!("{:?} is no legal move", outcome.best));
    }
    found
}

/// Checks every position with `repeats` random node counts, each in a random way of searching together.
fn check_all(
    positions: &[(Position, Known)],
    repeats: usize,
    most_nodes: f64,
    tables: Option<&Arc<Tablebases>>,
) {
    let mut random = Random::new(27);
    let mut pools = Vec::new();
    for way in Parallel::ALL {
        for workers in [1, 2, 5] {
            let mut pool = SearchPool::new(Release, 1, Arc::new(ManualClock::new())).unwrap();
            pool.set_pool_settings(settings(way, workers, 1)).unwrap();
            pool.set_tablebases(tables.cloned(), TablebaseSettings::default());
            pools.push((format!("{way} with {workers} workers"), pool));
        }
    }
    let mut failures = Vec::new();
    for (position, known) in positions {
        for _ in 0..repeats {
            // As many searches of tens of nodes as of thousands.
            let nodes = FEWEST_NODES * (most_nodes / FEWEST_NODES).powf(random.unit());
            let index = random.below(pools.len());
            let (name, pool) = &mut pools[index];
            for failure in check(pool, position, *known, nodes as u64) {
                failures.push(format!("{}: {} nodes, {name}: {failure}", position.to_fen(), nodes as u64));
            }
        }
    }
    let searches = positions.len() * repeats;
    assert!(failures.is_empty(), "{} of {searches} searches:\n{}", failures.len(), failures.join("\n"));
    eprintln!("{searches} searches of {} positions, no contradiction", positions.len());
}

/// The positions of a file of mates (`bm #N;`), one in `step`.
fn mates(name: &str, step: usize) -> Vec<(Position, Known)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/mates").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let read = |line: &str| {
        let (fen, mate) = line.trim_end_matches(';').split_once(" bm #").unwrap();
        let moves: i32 = mate.parse().unwrap();
        let known =
            if moves > 0 { Known::Win(moves.unsigned_abs()) } else { Known::Loss(moves.unsigned_abs()) };
        (Position::from_fen(&format!("{fen} 0 1")).unwrap(), known)
    };
    text.lines().filter(|line| !line.is_empty()).step_by(step).map(read).collect()
}

#[test]
fn contradictions_are_found() {
    use Bound::{Exact, Lower, Upper};
    for (known, score, bound, contradicts) in [
        (Known::Win(3), Score::mate_in(5), Exact, false),
        (Known::Win(3), Score::mate_in(9), Exact, false),
        (Known::Win(3), Score::mate_in(3), Exact, true),
        (Known::Win(3), Score::mated_in(2), Exact, true),
        (Known::Win(3), Score::centipawns(-900), Exact, false),
        (Known::Loss(1), Score::mated_in(2), Exact, false),
        (Known::Loss(2), Score::mated_in(2), Exact, true),
        (Known::Loss(2), Score::mate_in(9), Exact, true),
        (Known::Draw, Score::table_win(3), Exact, true),
        (Known::Draw, Score::ZERO, Exact, false),
        (Known::Win(3), Score::mated_in(2), Lower, false),
        (Known::Win(3), Score::mate_in(3), Lower, true),
        (Known::Loss(2), Score::mate_in(9), Lower, true),
        (Known::Loss(2), Score::mate_in(9), Upper, false),
        (Known::Draw, Score::mated_in(4), Upper, true),
    ] {
        let found = contradiction(known, score, bound).is_some();
        assert_eq!(found, contradicts, "{known:?} {:?} {bound:?}", score.kind());
    }
}

#[test]
fn known_mates_are_not_contradicted() {
    check_all(&mates("mates2000.epd", 25), 4, 3000.0, None);
}

#[test]
fn rook_endings_are_not_contradicted() {
    check_all(&mates("KRvK1000.epd", 40), 4, 3000.0, None);
}

#[test]
#[ignore = "minutes; see the top of the file"]
fn known_mates_are_not_contradicted_in_the_long_form() {
    check_all(&mates("mates2000.epd", 1), 10, 20_000.0, None);
    check_all(&mates("KRvK1000.epd", 1), 10, 20_000.0, None);
}

/// The folder of Syzygy tables: the repository's, or the one that `TABIYA_SYZYGY` names.
fn syzygy() -> PathBuf {
    let ours = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/syzygy");
    std::env::var_os("TABIYA_SYZYGY").map_or_else(ours, PathBuf::from)
}

/// Random legal positions of 3 and 4 pieces, with what the tables say. A table knows the distance to the next capture
/// or pawn move, which is no longer than the distance to mate.
fn endings(folder: &Path, count: usize) -> Vec<(Position, Known)> {
    let tables = Tablebases::open(&folder.to_string_lossy()).unwrap();
    let mut distances = Tablebase::<shakmaty::Chess>::new();
    distances.add_directory(folder).unwrap();
    let mut random = Random::new(4);
    let mut found = Vec::new();
    while found.len() < count {
        let Some(position) = random_ending(&mut random) else { continue };
        let Some(result) = tables.probe_wdl(&position) else { continue };
        let fen: shakmaty::fen::Fen = position.to_fen().parse().unwrap();
        let chess: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
        let Ok(distance) = distances.probe_dtz(&chess) else { continue };
        let plies = i32::from(distance.ignore_rounding()).unsigned_abs();
        found.push((
            position,
            match result.with_rule(true) {
                // A table may round a distance up by one ply.
                TablebaseResult::Win => Known::Win(plies.saturating_sub(1).div_ceil(2)),
                TablebaseResult::Loss => Known::Loss(plies.saturating_sub(1).div_ceil(2)),
                _ => Known::Draw,
            },
        ));
    }
    found
}

/// Two kings and one or two other pieces, dropped on the board; `None` when that is no legal position with a move.
fn random_ending(random: &mut Random) -> Option<Position> {
    let mut board = [b'1'; 64];
    let pieces = ["K", "k", "PNBRQpnbrq", "PNBRQpnbrq"];
    for letters in &pieces[..3 + random.below(2)] {
        let square = random.below(64);
        if board[square] != b'1' {
            return None;
        }
        board[square] = letters.as_bytes()[random.below(letters.len())];
    }
    let mut ranks = board.chunks(8).map(|rank| String::from_utf8_lossy(rank)).collect::<Vec<_>>().join("/");
    // FEN counts empty squares in one digit.
    for run in (2..=8).rev() {
        ranks = ranks.replace(&"1".repeat(run), &run.to_string());
    }
    let turn = if random.below(2) == 0 { 'w' } else { 'b' };
    let position = Position::from_fen(&format!("{ranks} {turn} - - 0 1")).ok()?;
    position.has_legal_move().then_some(position)
}

#[test]
fn endings_of_three_and_four_pieces_are_not_contradicted() {
    let folder = syzygy();
    let positions = endings(&folder, 60);
    check_all(&positions, 3, 3000.0, None);
    let tables = Arc::new(Tablebases::open(&folder.to_string_lossy()).unwrap());
    check_all(&positions, 3, 3000.0, Some(&tables));
}

#[test]
#[ignore = "minutes; see the top of the file"]
fn endings_are_not_contradicted_in_the_long_form() {
    let folder = syzygy();
    let positions = endings(&folder, 4000);
    check_all(&positions, 10, 20_000.0, None);
    let tables = Arc::new(Tablebases::open(&folder.to_string_lossy()).unwrap());
    check_all(&positions, 5, 20_000.0, Some(&tables));
}
