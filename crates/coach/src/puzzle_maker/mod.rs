//! Puzzles from games: a position after an error in which exactly 1 move wins, followed as long as that stays so.
//!
//! The idea of looking for positions with a single winning move after an error, and of ending the solution where a second
//! move wins too, is that of Lichess's puzzle generator. A first look at every position finds candidates; a search with
//! more nodes verifies every move of the solution.

mod difficulty;
mod rules;
mod self_play;
mod themes;

pub use difficulty::Difficulty;
pub use self_play::play_game;
pub use themes::themes;

use crate::quiz::Puzzle;
use chess::{Game, Move, Position};
use human_model::expected::Expected;
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::shown_score::ShownScore;
use kernel::Kind;

/// What the solver must be able to expect, and by how much the second best move must fall short of it.
const LEAST: f64 = 0.70;
const GAP: f64 = 0.25;
/// A puzzle is made only where both hold with so much to spare: a longer search changes scores a little.
const SPARE: f64 = 0.10;
/// Before the error the solver had at most this: otherwise the puzzle asks for what was won anyway.
const MOST_BEFORE: f64 = 0.65;
/// Own moves of the longest solution.
const LONGEST: usize = 6;
/// Plies at the start of a game in which no puzzle is looked for.
const OPENING: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Nodes for the first look at every position.
    pub look: u64,
    /// Nodes for every move of a solution.
    pub verify: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { look: 20_000, verify: 300_000 }
    }
}

/// Why a move of a puzzle is not accepted by a judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objection {
    /// The judge prefers another move.
    Other { number: usize, preferred: Move },
    /// A second move is good enough.
    Second { number: usize, second: Move },
    /// The judge finds other themes.
    Themes(String),
}

/// The puzzles of a game, without a rating yet: see [`Difficulty`].
pub fn find(game: &Game, effort: Effort, oracle: &mut dyn Oracle) -> Result<Vec<Puzzle>, Stopped> {
    let mut found: Vec<Puzzle> = Vec::new();
    let mut at = Game::new(game.start().clone());
    // What the side to move could expect in the position before, and until where the last puzzle goes.
    let (mut before, mut taken) = (Expected::EVEN, 0);
    for (ply, mv) in game.moves().iter().copied().map(Some).chain([None]).enumerate() {
        let look = oracle.ask(&two_lines(&at, effort.look))?;
        let expected = look.first().map_or(Expected::EVEN, Line::expected);
        let had = before.other().points();
        let is_chance = ply >= OPENING && ply >= taken && had <= MOST_BEFORE;
        if is_chance && is_only_winner(&look, 0.0) && !is_plain_recapture(&at, &look[0]) {
            let solution = solve(&at, effort.verify, oracle)?;
            if let Some((moves, score)) = solution {
                taken = ply + moves.len();
                let position = at.position().clone();
                let themes = themes(last_move(&at), &position, &moves, score);
                found.push(Puzzle { position, solution: moves, rating: 0, themes });
            }
        }
        before = expected;
        let Some(mv) = mv else { break };
        if at.play(mv).is_err() {
            break;
        }
    }
    Ok(found)
}

fn two_lines(game: &Game, nodes: u64) -> Question<'_> {
    Question { game, allowed: &[], lines: 2, nodes, depth: None }
}

fn mates_in_one(line: &Line) -> bool {
    matches!(line.score.kind(), Kind::MateIn(1))
}

/// Whether the best move wins and no other does, with something to spare. A mate in 1 only has to be the only mate in 1.
fn is_only_winner(lines: &[Line], spare: f64) -> bool {
    let [best, second, ..] = lines else { return false };
    if mates_in_one(best) {
        return !mates_in_one(second);
    }
    let (points, gap) = (best.expected().points(), best.expected().loss_to(second.expected()));
    points >= LEAST + spare && gap >= GAP + spare
}

/// The position before the last move, and that move.
pub fn last_move(game: &Game) -> Option<(&Position, Move)> {
    let [.., before, _] = game.positions() else { return None };
    Some((before, *game.moves().last()?))
}

/// Taking back what was just taken is no puzzle.
fn is_plain_recapture(game: &Game, best: &Line) -> bool {
    last_move(game).is_some_and(|(before, last)| before.captured(last).is_some() && last.to() == best.mv.to())
}

/// The solution with the score of its first move, if the verification finds one. It ends with a move of the solver.
fn solve(
    start: &Game,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Option<(Vec<Move>, ShownScore)>, Stopped> {
    let mut at = start.clone();
    let mut solution = Vec::new();
    let mut first = None;
    for number in 0..LONGEST {
        let lines = oracle.ask(&two_lines(&at, nodes))?;
        let only = is_only_winner(&lines, SPARE);
        // The reply before a move that is not the only one is no part of the puzzle.
        if !only {
            if number > 0 {
                solution.pop();
            }
            break;
        }
        let best = &lines[0];
        first.get_or_insert(best.score);
        solution.push(best.mv);
        if at.play(best.mv).is_err() || !at.position().has_legal_move() {
            break;
        }
        if number + 1 == LONGEST {
            break;
        }
        let Some(reply) = oracle.best(&at, nodes)? else { break };
        solution.push(reply.mv);
        if at.play(reply.mv).is_err() || at.outcome().is_some() {
            solution.pop();
            break;
        }
    }
    Ok(first.filter(|_| !solution.is_empty()).map(|score| (solution, score)))
}

/// Judges a puzzle by another search, which should be a stronger one: every own move must be the only one that wins, and
/// the themes must be those the judge's score and the moves tell.
pub fn judge(puzzle: &Puzzle, nodes: u64, oracle: &mut dyn Oracle) -> Result<Vec<Objection>, Stopped> {
    let mut objections = Vec::new();
    let mut at = Game::new(puzzle.position.clone());
    let mut score = None;
    for (ply, mv) in puzzle.solution.iter().enumerate() {
        if ply % 2 == 0 {
            let lines = oracle.ask(&two_lines(&at, nodes))?;
            let number = ply / 2 + 1;
            match &lines[..] {
                [best, ..] if best.mv != *mv => {
                    objections.push(Objection::Other { number, preferred: best.mv });
                }
                [_, second, ..] if !is_only_winner(&lines, 0.0) => {
                    objections.push(Objection::Second { number, second: second.mv });
                }
                _ => {}
            }
            if let (None, Some(best)) = (score, lines.first()) {
                score = Some(best.score);
            }
        }
        if at.play(*mv).is_err() {
            break;
        }
    }
    let judged = score.map(|score| themes(None, &puzzle.position, &puzzle.solution, score));
    // How large the advantage is depends on the search, and what hangs on the move before, which a puzzle does not have;
    // what happens on the board does not.
    let lasting = |themes: &str| -> Vec<String> {
        let sizes = ["advantage", "crushing", "hangingPiece"];
        themes.split_whitespace().filter(|theme| !sizes.contains(theme)).map(str::to_string).collect()
    };
    if let Some(judged) = judged.filter(|judged| lasting(judged) != lasting(&puzzle.themes)) {
        objections.push(Objection::Themes(judged));
    }
    Ok(objections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::Evaluation;
    use human_model::oracle::PoolOracle;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    fn oracle() -> PoolOracle {
        PoolOracle::new(16, Arc::new(ManualClock::new()), &Evaluation::shipped()).unwrap()
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Position::default());
        for text in moves.split_whitespace() {
            let mv = game.position().parse_san(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn an_error_becomes_a_puzzle_and_a_sound_game_does_not() {
        // Legal's mate: after 5... Bxd1 White mates in 2.
        let game = game("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 h6 Nxe5 Bxd1");
        let effort = Effort { look: 5_000, verify: 50_000 };
        let found = find(&game, effort, &mut oracle()).unwrap();
        let [.., puzzle] = &found[..] else { panic!("nothing found") };
        assert_eq!(puzzle.position, *game.position());
        assert_eq!(puzzle.solution.len(), 3, "{:?}", puzzle.solution);
        assert!(puzzle.themes.contains("mateIn2") && puzzle.themes.contains("short"), "{}", puzzle.themes);
        assert_eq!(judge(puzzle, 200_000, &mut oracle()), Ok(vec![]));
        let quiet = self::game("e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O");
        assert_eq!(find(&quiet, effort, &mut oracle()), Ok(vec![]));
    }

    #[test]
    fn a_judge_objects_to_what_is_not_so() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
        let puzzle = |text: &str, themes: &str| Puzzle {
            solution: vec![position.parse_uci(text).unwrap()],
            position: position.clone(),
            rating: 0,
            themes: themes.to_string(),
        };
        let right = "mate mateIn1 backRankMate endgame rookEndgame oneMove";
        assert_eq!(judge(&puzzle("a1a8", right), 20_000, &mut oracle()), Ok(vec![]));
        let wrong = judge(&puzzle("a1a7", right), 20_000, &mut oracle()).unwrap();
        assert!(matches!(wrong[0], Objection::Other { number: 1, .. }), "{wrong:?}");
        let themed = judge(&puzzle("a1a8", "fork"), 20_000, &mut oracle()).unwrap();
        assert_eq!(themed, [Objection::Themes(right.to_string())]);
    }
}
