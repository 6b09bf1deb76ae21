//! What a player may ask about the position: the engine's lines, the other side's threat, what people play, a review.

use crate::cli::Failure;
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Position};
use coach::{Coach, report};
use engine::{Clock, Engine, Information, Report, Request};
use human_model::openings::{Openings, RatingBand};
use human_model::oracle::PoolOracle;
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use kernel::{Bound, Kind, Limits, Score};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Time of a search on request.
const SEARCH_TIME: Duration = Duration::from_secs(1);
/// Nodes for each position of a review.
const REVIEW_NODES: u64 = 20_000;
const SHOWN_PLIES: usize = 8;
const SHOWN_REPLIES: usize = 6;

/// A second engine that analyses at full strength, whatever level the opponent plays at.
pub struct Adviser {
    engine: Engine,
    clock: Arc<dyn Clock>,
}

impl Adviser {
    pub fn new(clock: Arc<dyn Clock>) -> Result<Adviser, Failure> {
        let mut engine = Engine::new(Arc::clone(&clock)).map_err(Failure::failed)?;
        engine.set_option("UCI_AnalyseMode", Some("true")).map_err(Failure::failed)?;
        Ok(Adviser { engine, clock })
    }

    /// The best lines, best first, and the move the engine would play.
    pub fn analyse(&mut self, game: Game, lines: usize) -> Result<(Option<Move>, Vec<Information>), Failure> {
        self.engine.set_option("MultiPV", Some(&lines.to_string())).map_err(Failure::failed)?;
        let (sender, receiver) = channel();
        self.engine.set_game(game);
        let limits = Limits { move_time: Some(SEARCH_TIME), ..Limits::default() };
        self.engine.go(
            Request::new(limits),
            Box::new(move |report| {
                let _ = sender.send(report);
            }),
        );
        let mut found = BTreeMap::new();
        for report in receiver {
            match report {
                Report::Information(line) if line.bound == Bound::Exact => {
                    found.insert(line.rank, line);
                }
                Report::Information(_) | Report::Remark(_) => {}
                Report::Best { best, .. } => return Ok((best, found.into_values().collect())),
            }
        }
        Ok((None, Vec::new()))
    }

    /// Three lines, with their value for White.
    pub fn lines(&mut self, game: &Game) -> Result<String, Failure> {
        let (_, lines) = self.analyse(game.clone(), 3)?;
        let position = game.position();
        let shown = lines.iter().map(|line| {
            let (value, moves) =
                (score_for_white(line.score, position.turn()), line_in_san(position, &line.line));
            format!("{value:>7}  {moves}   (depth {})\n", line.depth)
        });
        Ok(shown.collect())
    }

    /// What the other side would do if it could move now.
    pub fn threat(&mut self, game: &Game) -> Result<String, Failure> {
        let mut position = game.position().clone();
        if position.in_check() || !position.has_legal_move() {
            return Ok("There is no threat to show: the king is in check.\n".to_string());
        }
        position.play_null();
        let (_, lines) = self.analyse(Game::new(position.clone()), 1)?;
        Ok(match lines.first() {
            Some(line) => {
                format!(
                    "{:>7}  {}\n",
                    score_for_white(line.score, position.turn()),
                    line_in_san(&position, &line.line)
                )
            }
            None => "No threat was found.\n".to_string(),
        })
    }

    /// The game, move by move, by the coach.
    pub fn review(&self, record: &PgnGame, student: Color, level: Rating) -> Result<String, Failure> {
        let openings = Openings::shared().map_err(Failure::failed)?;
        let mut ratings = [None, None];
        ratings[student.index()] = Some(level);
        let coach = Coach {
            model: ReplyModel::shared().map_err(Failure::failed)?,
            openings,
            scale: Scale::Lichess,
            ratings,
            student: Some(student),
            nodes: REVIEW_NODES,
        };
        let mut oracle = PoolOracle::new(32, Arc::clone(&self.clock), &eval::Evaluation::shipped())
            .map_err(Failure::failed)?;
        match coach.review(record, &mut oracle, &mut |_, _| {}) {
            Ok(review) => Ok(report::text(&review, Some(student))),
            Err(error) => Ok(format!("{error}\n")),
        }
    }
}

/// What people of a rating play here: by the model, and by counts of games where the opening table has them.
pub fn people(game: &Game, level: Rating) -> Result<String, Failure> {
    let model = ReplyModel::shared().map_err(Failure::failed)?;
    let openings = Openings::shared().map_err(Failure::failed)?;
    let position = game.position();
    let replies = model.replies(&Situation::of(game), &Circumstances::new(level, Scale::Lichess));
    let counted = openings.moves(position, RatingBand::of(level, Scale::Lichess));
    let games: u32 = counted.iter().map(|known| known.count).sum();
    let mut text = format!("People rated {}:\n", level.points());
    for reply in replies.as_slice().iter().take(SHOWN_REPLIES) {
        let seen = counted.iter().find(|known| known.mv == reply.mv).map_or(0, |known| known.count);
        let count = if games > 0 { format!("   ({seen} of {games} games)") } else { String::new() };
        let percent = (100.0 * reply.probability).round();
        let _ = writeln!(text, "{percent:5} %  {}{count}", position.san(reply.mv));
    }
    Ok(text)
}

/// The score for White, in pawns or as a mate.
fn score_for_white(score: Score, turn: Color) -> String {
    let sign = if turn == Color::White { 1 } else { -1 };
    let mate = |plies: u32, sign: i32| format!("#{}", sign * plies.div_ceil(2) as i32);
    let table = |sign: i32| if sign > 0 { "won" } else { "lost" }.to_string();
    match score.kind() {
        Kind::Centipawns(value) => format!("{:+.2}", f64::from(sign * value) / 100.0),
        Kind::MateIn(plies) => mate(plies, sign),
        Kind::MatedIn(plies) => mate(plies, -sign),
        Kind::TableWin(_) => table(sign),
        Kind::TableLoss(_) => table(-sign),
    }
}

/// A line in SAN with move numbers, cut at [`SHOWN_PLIES`].
fn line_in_san(position: &Position, moves: &[Move]) -> String {
    let mut at = position.clone();
    let mut text = String::new();
    for (index, mv) in moves.iter().take(SHOWN_PLIES).enumerate() {
        if !at.is_legal(*mv) {
            break;
        }
        if at.turn() == Color::White {
            let _ = write!(text, "{}. ", at.fullmove_number());
        } else if index == 0 {
            let _ = write!(text, "{}... ", at.fullmove_number());
        }
        let _ = write!(text, "{} ", at.san(*mv));
        at.play(*mv);
    }
    text.trim_end().to_string()
}
