//! Moves as this protocol writes them: coordinates, and `O-O` for castling in Chess960.

use chess::{Move, Position};

pub fn write(position: &Position, mv: Move, chess960: bool) -> String {
    if chess960 && mv.is_castling() {
        return if mv.to() > mv.from() { "O-O" } else { "O-O-O" }.to_string();
    }
    position.uci(mv, false).to_string()
}

pub fn read(position: &Position, text: &str) -> Option<Move> {
    let kingside = match text {
        "O-O" => true,
        "O-O-O" => false,
        _ => return position.parse_uci(text).ok(),
    };
    position.legal_moves().iter().copied().find(|mv| mv.is_castling() && (mv.to() > mv.from()) == kingside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_by_variant() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, standard) in [("O-O", "e1g1"), ("O-O-O", "e1c1")] {
            let mv = read(&position, text).unwrap();
            assert_eq!(write(&position, mv, true), text);
            assert_eq!(write(&position, mv, false), standard);
            assert_eq!(read(&position, standard), Some(mv));
        }
        assert_eq!(read(&Position::default(), "O-O"), None);
    }
}
