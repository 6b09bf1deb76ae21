//! Any text is a position or an error; a position is written and read back the same, and shakmaty counts its moves
//! alike.

use chess::{Position, perft};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};

/// Where an en passant capture would have to answer a check that the double step cannot have left, the two readers
/// of the rules differ; no game gets there.
fn compare(position: &Position) {
    if position.board().en_passant().is_some() && position.in_check() {
        return;
    }
    let fen: Fen = position.to_shredder_fen().parse().unwrap();
    let theirs: Result<Chess, _> = fen
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material);
    if let Ok(theirs) = theirs {
        assert_eq!(perft(position, 2), shakmaty::perft(&theirs, 2), "{position:?}");
    }
}

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let strict = Position::from_fen(&text);
    if let Err(error) = &strict {
        assert!(!error.to_string().is_empty());
    }
    for position in strict.into_iter().chain(Position::from_fen_lenient(&text).map(|(position, _)| position))
    {
        let fen = position.to_fen();
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(&position), "{fen}");
        assert_eq!(Position::from_fen(&position.to_shredder_fen()).as_ref(), Ok(&position), "{fen}");
        assert_eq!(Position::from_fen_lenient(&fen).map(|(_, repairs)| repairs.len()), Ok(0), "{fen}");
        compare(&position);
    }
}
