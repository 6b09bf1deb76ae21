//! A book of traps as people and programs read it.

use super::finder::{Trap, TrapLimits};
use chess::{Move, Position};
use serde_json::{Value, json as object};
use std::fmt::Write as _;

/// Plies shown of a line that follows.
const SHOWN: usize = 5;

/// Moves in figures and letters, numbered from the position they start in: `2. Qh5 g6`. What is not legal ends the text.
pub fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        if !position.is_legal(*mv) {
            break;
        }
        let number = position.fullmove_number();
        if position.turn().is_white() {
            let _ = write!(text, "{number}. ");
        } else if index == 0 {
            let _ = write!(text, "{number}... ");
        }
        let _ = write!(text, "{} ", position.san(*mv));
        position.play(*mv);
    }
    text.trim_end().to_string()
}

fn after(line: &[Move]) -> Position {
    let mut position = Position::default();
    for mv in line {
        position.play(*mv);
    }
    position
}

/// The moves to the trap, the trap included.
fn whole(trap: &Trap) -> Vec<Move> {
    trap.line.iter().copied().chain([trap.mv]).collect()
}

fn first(moves: &[Move]) -> &[Move] {
    &moves[..moves.len().min(SHOWN)]
}

/// A readable list.
pub fn text(traps: &[Trap], terms: &TrapLimits) -> String {
    let mut text = format!(
        "Against players of about {}: {} moves that cost little and win much (in points of a hundred).\n",
        terms.rating.points(),
        traps.len()
    );
    for (index, trap) in traps.iter().enumerate() {
        let line = whole(trap);
        let start = after(&line);
        let _ = writeln!(
            text,
            "\n{}. {}  ({})\n   costs {:.1}, {:.0} % go wrong and give away {:.1} on average: {:+.1}; {:.1} % of opponents come so far",
            index + 1,
            numbered(&Position::default(), &line),
            trap.nature.name(),
            100.0 * trap.cost(),
            100.0 * trap.mistake_probability,
            100.0 * trap.gain,
            100.0 * trap.surplus(),
            100.0 * trap.reach
        );
        for mistake in &trap.mistakes {
            let moves: Vec<Move> =
                [mistake.reply].into_iter().chain(mistake.refutation.iter().copied()).collect();
            let _ = writeln!(
                text,
                "   {:4.0} % {}   gives away {:.1}",
                100.0 * mistake.probability,
                numbered(&start, first(&moves)),
                100.0 * mistake.loss
            );
        }
        let _ = writeln!(text, "   best   {}", numbered(&start, first(&trap.refutation)));
    }
    text
}

/// The same for programs.
pub fn json(traps: &[Trap], terms: &TrapLimits) -> Value {
    let list: Vec<Value> = traps.iter().map(one).collect();
    object!({ "rating": terms.rating.points(), "nodes": terms.nodes, "traps": list })
}

fn one(trap: &Trap) -> Value {
    let line = whole(trap);
    let start = after(&line);
    let uci = |moves: &[Move]| {
        let mut position = start.clone();
        let mut words = Vec::new();
        for mv in moves.iter().take_while(|mv| position.is_legal(**mv)).copied().collect::<Vec<_>>() {
            words.push(position.uci(mv, false).to_string());
            position.play(mv);
        }
        words
    };
    let mistakes: Vec<Value> = trap
        .mistakes
        .iter()
        .map(|mistake| {
            let moves: Vec<Move> =
                [mistake.reply].into_iter().chain(mistake.refutation.iter().copied()).collect();
            object!({
                "probability": mistake.probability,
                "loss": mistake.loss,
                "san": numbered(&start, first(&moves)),
                "uci": uci(&moves),
            })
        })
        .collect();
    object!({
        "line": numbered(&Position::default(), &line),
        "fen": after(&trap.line).to_fen(),
        "move": after(&trap.line).uci(trap.mv, false).to_string(),
        "nature": trap.nature.name(),
        "reach": trap.reach,
        "cost": trap.cost(),
        "mistake_probability": trap.mistake_probability,
        "gain": trap.gain,
        "surplus": trap.surplus(),
        "worth": trap.worth.points(),
        "expectation": trap.expectation,
        "mistakes": mistakes,
        "best_reply": uci(&trap.refutation),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_where_they_start() {
        let start = Position::default();
        let mut moves = Vec::new();
        let mut position = start.clone();
        for text in ["e2e4", "e7e5", "d1h5"] {
            let mv = position.parse_uci(text).unwrap();
            moves.push(mv);
            position.play(mv);
        }
        assert_eq!(numbered(&start, &moves), "1. e4 e5 2. Qh5");
        assert_eq!(numbered(&after(&moves[..1]), &moves[1..]), "1... e5 2. Qh5");
        assert_eq!(numbered(&start, &moves[1..]), "", "an illegal line is not shown");
    }
}
