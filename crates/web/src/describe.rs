//! Positions, lines and scores as the page shows them.

use crate::limits;
use crate::messages::{Line, Node, Worth};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::board::Castling;
use chess::san::SanError;
use chess::{Color, Game, Move, Outcome, Position, Square};
use kernel::{Kind as ScoreKind, Score};
use std::collections::BTreeMap;

/// Reads a position as a person gave it.
pub fn position(fen: &str) -> Result<Position, Problem> {
    const NEXT: &str = "Check the position, or use the standard start position.";
    let letters = fen.chars().count();
    if letters > limits::FEN {
        let what = format!("The position is {letters} letters long, expected at most {}.", limits::FEN);
        return Err(Problem::new(what, NEXT));
    }
    let read = Position::from_fen_lenient(fen);
    read.map(|(position, _)| position)
        .map_err(|error| Problem::new(format!("This is not a valid FEN: {error}."), NEXT))
}

/// A line of moves, played from its start.
pub struct PlayedLine {
    /// Up to the last null move: the position before each move, and the move (`None` for a null move).
    passed: Vec<(Position, Option<Move>)>,
    /// The rest. A null move starts a new game: no position before it can be repeated.
    pub game: Game,
}

/// The game at the end of a line.
pub fn game(line: &Line) -> Result<Game, Problem> {
    play(line).map(|played| played.game)
}

/// Plays a line. `0000` and `--` are null moves, as annotators write them to show a threat.
pub fn play(line: &Line) -> Result<PlayedLine, Problem> {
    const NEXT: &str = "Go back to a position that works.";
    let start = line.start.as_deref().map_or_else(|| Ok(Position::default()), position)?;
    if line.moves.len() > limits::MOVES {
        let what = format!("The game has {} moves, expected at most {}.", line.moves.len(), limits::MOVES);
        return Err(Problem::new(what, NEXT));
    }
    let mut played = PlayedLine { passed: Vec::new(), game: Game::new(start) };
    for (index, text) in line.moves.iter().enumerate() {
        let refused = |what: String| Problem::new(format!("Move {}: {what}", index + 1), NEXT);
        if matches!(text.trim(), NULL_UCI | NULL_SAN) {
            if played.game.position().in_check() {
                return Err(refused("the turn cannot pass while in check.".to_string()));
            }
            played.pass();
            continue;
        }
        let mv = read_move(played.game.position(), text).map_err(|problem| refused(problem.what))?;
        played.game.play(mv).map_err(|error| Problem::new(error, NEXT))?;
    }
    Ok(played)
}

impl PlayedLine {
    fn pass(&mut self) {
        let mut after = self.game.position().clone();
        after.play_null();
        let game = std::mem::replace(&mut self.game, Game::new(after));
        let moves = game.moves().iter().copied().map(Some).chain([None]);
        self.passed.extend(game.positions().iter().cloned().zip(moves));
    }

    pub fn len(&self) -> usize {
        self.passed.len() + self.game.moves().len()
    }

    /// The positions of the line, from the one after `from` moves on.
    pub fn nodes(&self, from: usize, openings: &Openings) -> Vec<Node> {
        let before = self.passed.len();
        let mut nodes: Vec<Node> = (from..before)
            .map(|index| {
                let reached = index.checked_sub(1).map(|last| &self.passed[last]);
                passed_node(reached, &self.passed[index].0, openings)
            })
            .collect();
        nodes.extend(nodes_of_game(&self.game, from.saturating_sub(before), openings));
        if from <= before {
            // The start of the game is the position after the null move.
            let start = from.max(before) - from;
            nodes[start] = Node {
                over: nodes[start].over.take(),
                ..passed_node(self.passed.last(), self.game.start(), openings)
            };
        }
        for (index, node) in (from..).zip(&mut nodes) {
            node.parent = index.checked_sub(1).map(|parent| parent as u32);
        }
        nodes
    }
}

fn passed_node(reached: Option<&(Position, Option<Move>)>, position: &Position, openings: &Openings) -> Node {
    match reached {
        None => node(None, position, openings),
        Some((before, Some(mv))) => node(Some((before, *mv)), position, openings),
        Some((_, None)) => null_node(position, openings),
    }
}

/// A null move in coordinates, and as PGN files have it.
const NULL_UCI: &str = "0000";
const NULL_SAN: &str = "--";

/// The position after a null move.
pub fn null_node(position: &Position, openings: &Openings) -> Node {
    Node {
        uci: Some(NULL_UCI.to_string()),
        san: Some(NULL_SAN.to_string()),
        ..node(None, position, openings)
    }
}

/// A move in coordinates or in algebraic notation, with the liberties that people take: `nc3`, `0-0`, `e8q`.
pub fn read_move(position: &Position, text: &str) -> Result<Move, Problem> {
    const NEXT: &str = "Try a move such as e4, Nf3, O-O or e7e8q.";
    let text = text.trim();
    if text.len() > limits::WORDS {
        return Err(Problem::new("That is too long for a move.", NEXT));
    }
    let capitalized = || {
        let mut letters = text.chars();
        let first = letters.next().filter(|letter| "nbrqk".contains(*letter))?;
        position.parse_san(&format!("{}{}", first.to_ascii_uppercase(), letters.as_str())).ok()
    };
    position.parse_uci(text).or_else(|error| {
        position.parse_san(text).or_else(|san| capitalized().ok_or(san)).map_err(|san| {
            // Two squares were typed, so the error is about those.
            let coordinates = text.len() >= 4 && text.is_ascii() && Square::parse(&text[..2]).is_some();
            match san {
                _ if coordinates => Problem::new(format!("{error}."), NEXT),
                SanError::Malformed { .. } => {
                    Problem::new(format!("I don't know the move \"{}\".", common::clip(text, 20)), NEXT)
                }
                san => Problem::new(format!("{san}."), NEXT),
            }
        })
    })
}

/// Every position of a game, from the one after `from` moves on.
pub fn nodes_of_game(game: &Game, from: usize, openings: &Openings) -> Vec<Node> {
    let last = game.moves().len();
    (from..=last)
        .map(|index| {
            let reached =
                index.checked_sub(1).map(|before| (&game.positions()[before], game.moves()[before]));
            let over = (index == last).then(|| game.outcome()).flatten().map(outcome_text);
            let parent = index.checked_sub(1).map(|before| before as u32);
            Node { parent, over, ..node(reached, &game.positions()[index], openings) }
        })
        .collect()
}

/// The same position with the other side to move.
pub fn passed(game: &Game) -> Result<Game, Problem> {
    let mut position = game.position().clone();
    if position.in_check() || !position.has_legal_move() {
        return Err(Problem::new(
            "There is no threat to show: the king is in check.",
            "Step to another move.",
        ));
    }
    position.play_null();
    Ok(Game::new(position))
}

/// Whether the castling rights are those of Chess960 only: the king or a rook is elsewhere.
pub fn is_chess960(position: &Position) -> bool {
    let usual = [(Color::White, Square::E1, "a1", "h1"), (Color::Black, Square::E1.flip_rank(), "a8", "h8")];
    usual.into_iter().any(|(color, king, far, near)| {
        [(false, far), (true, near)].into_iter().any(|(kingside, square)| {
            position
                .board()
                .castling_rook(color, kingside)
                .is_some_and(|rook| position.board().king(color) != king || rook.to_string() != square)
        })
    })
}

/// How a game ended, for people.
pub fn outcome_text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Checkmate { winner } => format!("Checkmate: {winner} wins"),
        draw => draw.to_string(),
    }
}

/// One position and the move that led to it.
pub fn node(reached: Option<(&Position, Move)>, position: &Position, openings: &Openings) -> Node {
    let over = if position.is_checkmate() {
        Some(outcome_text(Outcome::Checkmate { winner: !position.turn() }))
    } else {
        position.is_stalemate().then(|| "draw by stalemate".to_string())
    };
    Node {
        parent: None,
        main: true,
        ply: position.ply(),
        fen: position.to_fen(),
        turn: position.turn().into(),
        check: position.in_check(),
        uci: reached.map(|(before, mv)| before.uci(mv, true).to_string()),
        san: reached.map(|(before, mv)| before.san(mv).to_string()),
        from_to: reached.map(|(before, mv)| {
            let text = before.uci(mv, false).to_string();
            [text[..2].to_string(), text[2..4].to_string()]
        }),
        capture: reached.is_some_and(|(before, mv)| before.captured(mv).is_some()),
        dests: destinations(position),
        opening: openings.name(position).map(str::to_string),
        over,
        comments: Vec::new(),
        comments_before: Vec::new(),
        nags: Vec::new(),
    }
}

/// Castling is offered as king takes rook, and as the king's two steps where that is no other move.
fn destinations(position: &Position) -> BTreeMap<String, String> {
    let mut map: BTreeMap<String, String> = BTreeMap::new();
    let moves = position.legal_moves();
    let mut add = |from: String, to: String| {
        let entry = map.entry(from).or_default();
        if !entry.as_bytes().chunks(2).any(|known| known == to.as_bytes()) {
            entry.push_str(&to);
        }
    };
    for &mv in &moves {
        add(mv.from().to_string(), mv.to().to_string());
        if mv.is_castling() {
            let king_to = Castling::of(mv.from(), mv.to()).king_to;
            let free = !moves.iter().any(|other| other.from() == mv.from() && other.to() == king_to);
            if free && mv.from().distance(king_to) == 2 {
                add(mv.from().to_string(), king_to.to_string());
            }
        }
    }
    map
}

/// A score of the side to move, from White's side.
pub fn worth(score: Score, turn: Color) -> Worth {
    let sign = if turn.is_white() { 1 } else { -1 };
    match score.kind() {
        ScoreKind::Centipawns(value) => Worth::Centipawns(sign * value),
        ScoreKind::MateIn(plies) => Worth::Mate(sign * plies.div_ceil(2) as i32),
        ScoreKind::MatedIn(plies) => Worth::Mate(-sign * plies.div_ceil(2) as i32),
        ScoreKind::TableWin(_) => Worth::Table(sign),
        ScoreKind::TableLoss(_) => Worth::Table(-sign),
    }
}

/// A line of moves in both notations and its positions, as far as it is legal.
pub struct LineNotation {
    pub san: Vec<String>,
    pub uci: Vec<String>,
    pub fens: Vec<String>,
}

pub fn notation(start: &Position, moves: &[Move], longest: usize) -> LineNotation {
    let mut notation = LineNotation { san: Vec::new(), uci: Vec::new(), fens: Vec::new() };
    let mut position = start.clone();
    for &mv in moves.iter().take(longest) {
        if !position.is_legal(mv) {
            break;
        }
        notation.san.push(position.san(mv).to_string());
        notation.uci.push(position.uci(mv, true).to_string());
        position.play(mv);
        let fen = position.to_fen();
        notation.fens.push(fen.split(' ').next().unwrap_or_default().to_string());
    }
    notation
}

#[cfg(test)]
mod tests;
