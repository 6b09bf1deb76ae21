//! From a game to the quiet positions a fit may learn from.

use chess::Position;
use common::Random;
use data::game_lines::GameLine;

/// What makes a position worth learning from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Plies taken as book whatever the file says.
    pub book_plies: usize,
    /// At most so many positions from one game: neighbours in a game are nearly the same position.
    pub per_game: usize,
}

/// A game that could not be replayed: the ply and what was wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    pub ply: usize,
    pub reason: String,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct TuningPosition {
    pub position: Position,
    /// Centipawns for White by the file's own word, if it has one.
    pub evaluation: Option<f32>,
}

/// Some quiet positions of a game, in the order they were drawn.
pub fn positions(
    game: &GameLine,
    selection: &Selection,
    random: &mut Random,
) -> Result<Vec<TuningPosition>, ReplayError> {
    let mut position = start(game)?;
    let evaluations: Vec<&str> = game.evaluations.split(',').collect();
    let mut seen = Vec::new();
    for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
        let mv = position.parse_uci(text).map_err(|e| ReplayError { ply, reason: e.to_string() })?;
        position.play(mv);
        // A ply without an evaluation beside plies that have one was played from a book, or after adjudication.
        let from_book = evaluations.len() > 1 && evaluations.get(ply).is_none_or(|text| text.is_empty());
        if ply + 1 >= selection.book_plies && !from_book {
            let evaluation = evaluations.get(ply).and_then(|text| text.parse().ok());
            seen.push(TuningPosition { position: position.clone(), evaluation });
        }
    }
    random.shuffle(&mut seen);
    let quiet = seen.into_iter().filter(|sample| is_quiet(&sample.position)).take(selection.per_game);
    Ok(quiet.collect())
}

fn start(game: &GameLine) -> Result<Position, ReplayError> {
    if game.start.is_empty() {
        return Ok(Position::default());
    }
    let read = Position::from_fen_lenient(&game.start);
    read.map(|(position, _)| position).map_err(|e| ReplayError { ply: 0, reason: e.to_string() })
}

/// Nobody is in check, no exchange wins material for the side to move, and nothing promotes: the static
/// evaluation is what a quiescence search would answer.
pub fn is_quiet(position: &Position) -> bool {
    !position.in_check()
        && !position.noisy_moves().iter().any(|&mv| mv.is_promotion() || position.see_at_least(mv, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_means_nothing_to_win() {
        for (fen, quiet) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // A knight hangs.
            ("rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1PPPP/RNBQKBNR w KQkq - 0 1", false),
            // A protected pawn may be left alone.
            ("rnbqkbnr/ppp2ppp/4p3/3p4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1", true),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), quiet, "{fen}");
        }
    }

    #[test]
    fn book_plies_and_missing_evaluations_are_left_out() {
        let game = GameLine {
            result: 0.5,
            start: String::new(),
            moves: "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5".to_string(),
            evaluations: ",,,20,15,".to_string(),
        };
        let select = |book_plies| Selection { book_plies, per_game: 99 };
        let count = |selection| positions(&game, &selection, &mut Random::new(1)).unwrap().len();
        assert_eq!(count(select(0)), 2);
        assert_eq!(count(select(5)), 1);
        let broken = GameLine { moves: "e2e4 e2e4".to_string(), ..game };
        assert_eq!(positions(&broken, &select(0), &mut Random::new(1)).unwrap_err().ply, 1);
    }
}
