//! Games as text, in the columns `tabiya tune` reads.

use crate::game::{GameRecord, GameResult};
use crate::lambda_return::TdLambda;
use chess::Color;
use std::fmt::Write as _;

/// Beyond this a lambda-return is as good as a result.
const MOST_CENTIPAWNS: f32 = 2000.0;

/// One line: thirteen columns, of which the result, the start, the moves and the lambda-returns are filled in. The
/// lambda-return of a position stands, in centipawns for White, beside the move that led to it.
pub fn line(game: &GameRecord, td: TdLambda) -> String {
    let result = match game.result {
        GameResult::WhiteWon => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::BlackWon => "0-1",
    };
    let returns = td.returns(game);
    let mut moves = String::new();
    let mut scores = String::new();
    let mut number = 0;
    game.walk(|position, ply| {
        if number > 0 {
            moves.push(' ');
            let points = returns.get(number).copied().unwrap_or(0.5);
            let score = td.scale * (points / (1.0 - points)).ln();
            let white = if position.turn() == Color::White { score } else { -score };
            let _ = write!(scores, "{:.0},", white.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS));
        }
        let _ = write!(moves, "{}", position.uci(ply.mv, false));
        number += 1;
    });
    let start = game.start.to_fen();
    format!("selfplay\ttabiya\ttabiya\t-\t-\t-\t-\t{result}\t-\t{start}\t{moves}\t-\t{scores}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, Ply};
    use crate::game_lines::GameLine;
    use chess::Position;

    #[test]
    fn the_tuner_reads_what_is_written() {
        let start = Position::default();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for (text, score) in [("e2e4", 30), ("e7e5", -30), ("g1f3", 200)] {
            let mv = position.parse_uci(text).unwrap();
            plies.push(Ply { mv, score });
            position.play(mv);
        }
        let game = GameRecord { start, plies, result: GameResult::WhiteWon, ending: Ending::Decided };
        let read = GameLine::parse(&line(&game, TdLambda { lambda: 0.0, scale: 200.0 })).unwrap().unwrap();
        assert_eq!((read.result, read.moves.as_str()), (1.0, "e2e4 e7e5 g1f3"));
        assert_eq!(read.evaluations, "30,200,");
    }
}
