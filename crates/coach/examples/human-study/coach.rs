//! Whether what the coach says is true.

use chess::pgn::PgnGame;
use chess::{Game, Move};
use coach::{Coach, MoveReview, contradictions, report};
use human_model::dataset::GameRecord;
use human_model::openings::Openings;
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use human_model::reply::{ReplyModel, Scale};
use kernel::clock::ManualClock;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// The coach proves an error with 8 times its nodes for two moves, a small one with 32 times: the judge gets three times as many and more.
const JUDGE: u64 = 25;
const JUDGE_OF_SMALL: u64 = 100;
const SMALL: f64 = 0.25;
/// An error of at least this many points was said to be one.
const ERROR: f64 = 0.05;

#[derive(Default)]
struct Confirmations {
    lines: u32,
    still: u32,
    shrunk: u32,
    reversed: u32,
}

/// Reviews games of people nobody trained on and judges every line the coach shows by a much longer search of both moves side by
/// side: the better move must still be better by an inaccuracy. With a folder, the games are written there.
pub fn study(wanted: usize, nodes: u64, folder: Option<&str>) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shipped()?;
    let coach = Coach {
        model: ReplyModel::shared()?,
        openings: &openings,
        scale: Scale::Lichess,
        ratings: [None, None],
        student: None,
        nodes,
    };
    let mut oracle = PoolOracle::new(64, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let mut judge = PoolOracle::new(64, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let (mut errors, mut traps) = (Confirmations::default(), Confirmations::default());
    let mut games = 0;
    each_game(wanted, |pgn| {
        if let Some(folder) = folder {
            std::fs::write(Path::new(folder).join(format!("{:02}.pgn", games + 1)), pgn.to_string())?;
        }
        oracle.clear();
        let review = coach.review(pgn, &mut oracle, &mut |_, _| {})?;
        let mut before = Game::default();
        for played in &review.moves {
            let mut check = |confirmations: &mut Confirmations,
                             kind: &str,
                             better: Move,
                             bad: Move,
                             said: f64| {
                let times = if said < SMALL { JUDGE_OF_SMALL } else { JUDGE };
                let found = judged(&before, better, bad, times * nodes, &mut judge)?;
                confirmations.note(found);
                if found < ERROR {
                    let fen = before.position().to_fen();
                    let san = before.position().san(bad);
                    println!("game {}, {kind} {san}: said {said:.3}, judged {found:.3}  {fen}", games + 1);
                }
                Ok::<(), Box<dyn Error>>(())
            };
            if let Some(proof) = &played.proof {
                check(&mut errors, "error", proof.better.mv, played.mv, played.loss)?;
            }
            if let Some(trap) = &played.trap
                && !trap.fell_in
            {
                check(&mut traps, "trap", played.best, trap.bait, trap.loss)?;
            }
            before.play(played.mv)?;
        }
        games += 1;
        println!("after {games} games: errors {errors}; traps avoided {traps}");
        Ok(())
    })
}

/// Reviews games of held-out players and prints every contradiction in the reports. With a folder, the reports are written
/// there, as text and for `tools/coach_judge.py`.
pub fn reports(wanted: usize, nodes: u64, folder: Option<&str>) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shared()?;
    let model = ReplyModel::shared()?;
    let coach = Coach { model, openings, scale: Scale::Lichess, ratings: [None, None], student: None, nodes };
    let mut oracle = PoolOracle::new(64, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let [mut games, mut errors, mut motifs, mut found] = [0; 4];
    each_game(wanted, |pgn| {
        oracle.clear();
        let review = coach.review(pgn, &mut oracle, &mut |_, _| {})?;
        games += 1;
        if let Some(folder) = folder {
            let path = |ending: &str| Path::new(folder).join(format!("{games:03}.{ending}"));
            std::fs::write(path("txt"), report::text(&review, None))?;
            std::fs::write(path("json"), report::json(&review))?;
        }
        errors += review.moves.iter().filter(|played| played.proof.is_some()).count();
        let has_motif =
            |played: &&MoveReview| played.proof.as_ref().is_some_and(|proof| !proof.motifs.is_empty());
        motifs += review.moves.iter().filter(has_motif).count();
        for what in contradictions(&review) {
            found += 1;
            println!("game {games}: {what}");
        }
        println!(
            "after {games} games: {errors} errors, {motifs} of them with a motif; {found} contradictions"
        );
        Ok(())
    })
}

/// Games in which a held-out player takes part, with ratings and time control as tags.
fn each_game(
    wanted: usize,
    mut visit: impl FnMut(&PgnGame) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut games = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let plies = record.moves.split_whitespace().count();
        if record.players.iter().all(|player| player.bucket() >= 4) || !(30..120).contains(&plies) {
            continue;
        }
        let mut game = Game::default();
        for text in record.moves.split_whitespace() {
            let mv = game.position().parse_uci(text)?;
            game.play(mv)?;
        }
        let mut pgn = PgnGame::from_game(&game, false);
        for (tag, points) in ["WhiteElo", "BlackElo"].into_iter().zip(record.ratings) {
            pgn.tags.set(tag, &points.to_string());
        }
        if let Some(control) = record.time_control {
            pgn.tags.set("TimeControl", &format!("{}+{}", control.base_seconds, control.increment_seconds));
        }
        visit(&pgn)?;
        games += 1;
        if games == wanted {
            break;
        }
    }
    Ok(())
}

/// What the bad move loses against the better one; negative when it is the better one.
fn judged(
    game: &Game,
    better: Move,
    bad: Move,
    nodes: u64,
    judge: &mut PoolOracle,
) -> Result<f64, Box<dyn Error>> {
    judge.clear();
    let lines = judge.ask(&Question::each(game, &[better, bad], nodes)).map_err(|_| "stopped")?;
    let worth = |mv: Move| lines.iter().find(|line| line.mv == mv).map(Line::expected).ok_or("no line");
    Ok(worth(better)?.points() - worth(bad)?.points())
}

impl Confirmations {
    fn note(&mut self, loss: f64) {
        self.lines += 1;
        self.still += u32::from(loss >= ERROR);
        self.shrunk += u32::from(loss < ERROR && loss > 0.0);
        self.reversed += u32::from(loss <= 0.0);
    }
}

impl std::fmt::Display for Confirmations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Confirmations { lines, still, shrunk, reversed } = self;
        write!(f, "{lines}, {still} confirmed, {shrunk} smaller than {ERROR}, {reversed} reversed")
    }
}
