//! Bytes choose a start and moves, played on our board and on shakmaty's: the same moves, checks, FEN and notation all
//! along, keys equal to fresh ones, taking back exact.

#[path = "../../crates/chess/tests/support/mod.rs"]
mod support;

use chess::{Game, Keys, Position, perft};
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use support::{Pair, code, their_code};

pub fn run(data: &[u8]) {
    let [a, b, c, d, rest @ ..] = data else { return };
    let white = u16::from_le_bytes([*a, *b]) % 961;
    let black = u16::from_le_bytes([*c, *d]) % 960;
    // The last number stands for the usual start.
    let start = Position::double_fischer(white, black).unwrap_or_default();
    let mut pair = Pair::of(start.clone());
    let mut game = Game::new(start);
    for byte in rest.iter().take(150) {
        let moves = pair.ours.legal_moves();
        let mut ours: Vec<usize> = moves.iter().map(|mv| code(*mv)).collect();
        let mut theirs: Vec<usize> = pair.theirs.legal_moves().iter().map(|mv| their_code(*mv)).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{:?}", pair.ours);
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(*byte) % moves.len()];
        let san = pair.ours.san(mv);
        assert_eq!(san.as_str(), SanPlus::from_move(pair.theirs.clone(), pair.translate(mv)).to_string());
        assert_eq!(pair.ours.parse_san(san.as_str()), Ok(mv));
        let gives_check = pair.ours.gives_check(mv);

        pair.play(mv);
        game.play(mv).unwrap();
        assert_eq!(gives_check, pair.theirs.is_check(), "{:?}", pair.ours);
        assert_eq!(pair.ours.keys(), &Keys::of(pair.ours.board()), "{:?}", pair.ours);
        assert_eq!(pair.ours.to_fen(), pair.their_fen());
        assert_eq!(pair.ours.is_insufficient_material(), pair.theirs.is_insufficient_material());
    }
    assert_eq!(perft(&pair.ours, 2), shakmaty::perft(&pair.theirs, 2), "{:?}", pair.ours);
    assert_eq!(game.position(), &pair.ours);
    while game.take_back().is_some() {}
    assert_eq!(game.position(), game.start());
}
