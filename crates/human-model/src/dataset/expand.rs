//! Packed games to flat arrays, one entry a position: what the trainer maps onto its device.

use super::move_order::ordered_moves;
use super::pack::{PackedGame, UNKNOWN};
use crate::reply::policy_index;
use chess::board::Castling;
use chess::{Game, PieceKind, Position, Square};

/// Little end first throughout. Boards are seen by the player to move, two squares a byte, the lower square in the low
/// half: 0 empty, 1-6 own pawn to king, 7-12 theirs, 13 empty but open to en passant, 14 own and 15 their rook that may castle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expanded {
    pub boards: Vec<u8>,
    /// 16 bits.
    pub ply: Vec<u8>,
    /// 32 bits: the game's number.
    pub game: Vec<u8>,
    /// Legal moves.
    pub count: Vec<u8>,
    /// The number of the move played.
    pub target: Vec<u8>,
    /// Earlier occurrences of the position, then plies since a capture or pawn move.
    pub extra: Vec<u8>,
    /// From and to of the move played, White's squares.
    pub moves: Vec<u8>,
    /// The mover's clock and the opponent's as the mover begins to think, 16 bits each.
    pub clock: Vec<u8>,
    /// The policy indices of all legal moves, 16 bits each.
    pub legal: Vec<u8>,
}

/// Appends the positions of one game; the error is the ply whose move number no legal move has.
pub fn expand(packed: &PackedGame<'_>, number: u32, out: &mut Expanded) -> Result<(), usize> {
    let mut game = Game::default();
    for (ply, choice) in packed.numbers.iter().enumerate() {
        let position = game.position();
        let moves = ordered_moves(position);
        let mv = *moves.get(usize::from(*choice)).ok_or(ply)?;
        let turn = position.turn();
        out.boards.extend(codes(position).as_chunks::<2>().0.iter().map(|[low, high]| low | high << 4));
        out.ply.extend((ply as u16).to_le_bytes());
        out.game.extend(number.to_le_bytes());
        out.count.push(moves.len() as u8);
        out.target.push(*choice);
        let repetitions = position.repetitions(game.earlier_keys()).min(2) as u8;
        out.extra.extend([repetitions, position.halfmove_clock().min(255) as u8]);
        let to = if mv.is_castling() { Castling::of(mv.from(), mv.to()).king_to } else { mv.to() };
        out.moves.extend([mv.from().index() as u8, to.index() as u8]);
        for clock in [clock_before(packed, ply, 2), clock_before(packed, ply, 1)] {
            out.clock.extend(clock.to_le_bytes());
        }
        out.legal.extend(moves.iter().flat_map(|legal| (policy_index(*legal, turn) as u16).to_le_bytes()));
        game.play(mv).map_err(|_| ply)?;
    }
    Ok(())
}

/// The clock as it stood after the move `back` plies ago; before the first, the whole base time.
fn clock_before(packed: &PackedGame<'_>, ply: usize, back: usize) -> u16 {
    match (packed.clocks.is_empty(), ply.checked_sub(back), packed.base_seconds()) {
        (true, _, _) | (_, None, UNKNOWN) => UNKNOWN,
        (_, Some(at), _) => packed.clock_after(at),
        (_, None, base) => (u32::from(base) * 10).min(65534) as u16,
    }
}

fn codes(position: &Position) -> [u8; 64] {
    let board = position.board();
    let turn = position.turn();
    let mut codes = [0; 64];
    for square in Square::all() {
        let Some(piece) = board.piece_on(square) else { continue };
        let own = piece.color() == turn;
        let may_castle = piece.kind() == PieceKind::Rook && board.castling_rooks().has(square);
        codes[square.relative_to(turn).index()] = match (own, may_castle) {
            (true, true) => 14,
            (false, true) => 15,
            (true, false) => 1 + piece.kind().index() as u8,
            (false, false) => 7 + piece.kind().index() as u8,
        };
    }
    if let Some(square) = board.en_passant() {
        codes[square.relative_to(turn).index()] = 13;
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::super::{Packer, unpack};
    use super::*;

    fn expanded(text: &str) -> Expanded {
        let mut packer = Packer::default();
        let mut bytes = Vec::new();
        text.lines().for_each(|line| packer.pack(line, &mut bytes).unwrap());
        let mut out = Expanded::default();
        for (number, game) in unpack(&bytes).enumerate() {
            expand(&game.unwrap(), number as u32, &mut out).unwrap();
        }
        out
    }

    #[test]
    fn each_position_has_an_entry_in_every_array() {
        let all = expanded(include_str!("../../tests/data/made-up.tsv"));
        let positions = all.count.len();
        let legal: usize = all.count.iter().map(|count| usize::from(*count)).sum();
        for (name, found, each) in [
            ("boards", all.boards.len(), 32),
            ("ply", all.ply.len(), 2),
            ("game", all.game.len(), 4),
            ("target", all.target.len(), 1),
            ("extra", all.extra.len(), 2),
            ("moves", all.moves.len(), 2),
            ("clock", all.clock.len(), 4),
        ] {
            assert_eq!(found, positions * each, "{name}");
        }
        assert_eq!(all.legal.len(), 2 * legal);
    }

    #[test]
    fn clocks_are_those_before_the_move() {
        let line = "lichess-clock\t0000000001\t0000000002\t1500\t1500\t60+0\t-\t*\t-\t-\te2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6\t5990,5980,5970,5960,5950,5940,5930,5920\t-";
        let all = expanded(line);
        let words: Vec<u16> = all.clock.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect();
        assert_eq!(words[..8], [600, 600, 600, 599, 599, 598, 598, 597]);
    }
}
