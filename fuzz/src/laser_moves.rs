//! Any text is a move or an error; any sequence of bytes is a game that keeps every invariant.

use laser::{Game, Move};

pub fn run(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(mv) = text.parse::<Move>()
    {
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    }
    let mut game = Game::default();
    for pair in data.chunks_exact(2) {
        let bits = u16::from_le_bytes([pair[0], pair[1]]);
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            assert!(game.position().winner().is_some());
            break;
        }
        // Raw bits now and then, to try moves that the position may refuse; otherwise one of the legal moves.
        let mv = Move::from_bits(bits).unwrap_or(moves[usize::from(bits) % moves.len()]);
        let before = *game.position();
        match game.play(mv) {
            Ok(_) => assert!(moves.contains(&mv)),
            Err(_) => assert!(!moves.contains(&mv) && *game.position() == before),
        }
        assert_eq!(game.position().key(), game.position().fresh_key());
    }
}
