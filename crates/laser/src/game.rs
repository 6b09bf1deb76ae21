//! A game: the moves so far, and whether it is over.

use std::fmt;

use crate::colour::Colour;
use crate::moves::Move;
use crate::notation::MoveTextError;
use crate::position::{Position, Zapped};

/// When a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Plies without a zap that end the game.
    pub quiet_plies: u16,
    /// Occurrences of one position that end the game.
    pub occurrences: usize,
    /// Moves by each side after which a referee stops the game.
    pub move_cap: Option<usize>,
}

impl DrawRules {
    /// The rule book: fifty moves each without a zap, or the third occurrence.
    pub const RULE_BOOK: DrawRules = DrawRules { quiet_plies: 100, occurrences: 3, move_cap: None };

    /// The course's Java referee: a hundred moves each without a zap, and never more than 400 moves.
    pub const AUTOTESTER: DrawRules = DrawRules { quiet_plies: 200, occurrences: 3, move_cap: Some(400) };
}

impl Default for DrawRules {
    fn default() -> DrawRules {
        DrawRules::RULE_BOOK
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    Quiet,
    Repetition,
    MoveCap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ongoing,
    /// A king was zapped, by either side's laser.
    Won(Colour),
    Drawn(DrawReason),
}

impl Status {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game still going.
    pub fn result(self) -> &'static str {
        match self {
            Status::Ongoing => "*",
            Status::Won(Colour::White) => "1-0",
            Status::Won(Colour::Black) => "0-1",
            Status::Drawn(_) => "1/2-1/2",
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Quiet => "too long without a zap",
            DrawReason::Repetition => "repetition",
            DrawReason::MoveCap => "move limit",
        })
    }
}

/// Why a move was not played; the game stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    Text(MoveTextError),
    /// The pieces do not stand so that the move can be made.
    Unplayable(Move),
    /// It would restore the position before the opponent's last move.
    Ko(Move),
    GameOver(Status),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Text(error) => error.fmt(f),
            PlayError::Unplayable(mv) => write!(f, "move {mv} is not possible in this position"),
            PlayError::Ko(mv) => {
                write!(f, "move {mv} is forbidden by Ko: it restores the position before the last move")
            }
            PlayError::GameOver(status) => write!(f, "the game is over: {}", status.result()),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<MoveTextError> for PlayError {
    fn from(error: MoveTextError) -> PlayError {
        PlayError::Text(error)
    }
}

/// A game from a start position, with every position since.
#[derive(Clone, Debug)]
pub struct Game {
    rules: DrawRules,
    /// Never empty: the start position, then one a ply.
    positions: Vec<Position>,
    current: Position,
    moves: Vec<Move>,
}

impl Game {
    pub fn new(start: Position, rules: DrawRules) -> Game {
        Game { rules, positions: vec![start], current: start, moves: Vec::new() }
    }

    pub fn position(&self) -> &Position {
        &self.current
    }

    pub fn rules(&self) -> DrawRules {
        self.rules
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The start position and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// How often the current position has been on the board, now included.
    pub fn occurrences(&self) -> usize {
        self.positions.iter().filter(|earlier| earlier.same_board(&self.current)).count()
    }

    pub fn status(&self) -> Status {
        if let Some(winner) = self.current.winner() {
            Status::Won(winner)
        } else if self.current.quiet_plies() >= self.rules.quiet_plies {
            Status::Drawn(DrawReason::Quiet)
        } else if self.occurrences() >= self.rules.occurrences {
            Status::Drawn(DrawReason::Repetition)
        } else if self.rules.move_cap.is_some_and(|cap| self.moves.len() >= 2 * cap) {
            Status::Drawn(DrawReason::MoveCap)
        } else {
            Status::Ongoing
        }
    }

    /// Plays a legal move. A drawn game may go on (a referee's business); a won one may not.
    pub fn play(&mut self, mv: Move) -> Result<Option<Zapped>, PlayError> {
        if let Some(winner) = self.current.winner() {
            return Err(PlayError::GameOver(Status::Won(winner)));
        }
        if !self.current.is_playable(mv) {
            return Err(PlayError::Unplayable(mv));
        }
        if self.current.is_ko(mv) {
            return Err(PlayError::Ko(mv));
        }
        let zapped = self.current.play(mv);
        self.positions.push(self.current);
        self.moves.push(mv);
        Ok(zapped)
    }

    /// Plays a move given as text.
    pub fn play_text(&mut self, text: &str) -> Result<Option<Zapped>, PlayError> {
        self.play(text.parse()?)
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start(), DrawRules::RULE_BOOK)
    }
}
