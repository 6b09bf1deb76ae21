//! The other board: a 10x10 array with sentinels and a piece list a side, as a player of the 2018 course kept it.
//!
//! It exists to be measured against the bitboards of `laser`, and, because it shares no code with them, as the oracle
//! of the property tests. Squares are `(rank + 1) * 10 + file + 1`.

use laser::{Colour, Kind, Orientation, Piece, Position, Square};

const OFF_BOARD: u8 = 3 << 2;
const PAWN: u8 = 1 << 2;
const KING: u8 = 2 << 2;
const KIND: u8 = 3 << 2;
const BLACK: u8 = 1 << 4;
/// The three high bits of a piece are its place in its side's list; the king is always at 0.
const LIST_SHIFT: u8 = 5;
const DIRECTIONS: [i8; 8] = [10, 11, 1, -9, -10, -11, -1, 9];
const BEAM: [i8; 4] = [10, 1, -10, -1];

/// A move as three squares and a turn: `via` equals `from` when nothing is swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaddedMove {
    pub from: u8,
    pub via: u8,
    pub to: u8,
    pub quarters: u8,
}

#[derive(Clone, Copy)]
pub struct Padded {
    board: [u8; 100],
    lists: [[u8; 8]; 2],
    counts: [u8; 2],
    side: usize,
    king_gone: bool,
    /// Kept up to date as the bitboards keep theirs, so that both do the same work.
    key: u64,
}

/// One key for each square and the low five bits of a piece: the list places must not matter.
static KEYS: [[u64; 100]; 32] = {
    let mut table = [[0; 100]; 32];
    let mut random = common::Random::new(1);
    let mut code = 0;
    while code < 32 {
        let mut square = 0;
        while square < 100 {
            table[code][square] = random.next_u64();
            square += 1;
        }
        code += 1;
    }
    table
};

fn key_of(code: u8, square: u8) -> u64 {
    KEYS[usize::from(code & 31)][usize::from(square)]
}

fn padded_square(square: Square) -> u8 {
    ((square.rank() + 1) * 10 + square.file() + 1) as u8
}

fn shifted(square: u8, offset: i8) -> u8 {
    square.wrapping_add_signed(offset)
}

impl Padded {
    pub fn new(position: &Position) -> Padded {
        let mut padded = Padded {
            board: [OFF_BOARD; 100],
            lists: [[0; 8]; 2],
            counts: [1; 2],
            side: position.side_to_move().index(),
            king_gone: position.winner().is_some(),
            key: 0,
        };
        for square in Square::all() {
            let here = padded_square(square);
            padded.board[usize::from(here)] = 0;
            let Some(piece) = position.piece_at(square) else { continue };
            let colour = piece.colour().index();
            let mut code = piece.orientation().number() | (colour as u8) << 4;
            if piece.kind() == Kind::King {
                code |= KING;
                padded.lists[colour][0] = here;
            } else {
                let place = padded.counts[colour];
                padded.counts[colour] += 1;
                code |= PAWN | place << LIST_SHIFT;
                padded.lists[colour][usize::from(place)] = here;
            }
            padded.board[usize::from(here)] = code;
        }
        padded
    }

    pub fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                let code = self.board[(rank + 1) * 10 + file + 1];
                if code == 0 {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                let colour = if code & BLACK == 0 { Colour::White } else { Colour::Black };
                let kind = if code & KIND == KING { Kind::King } else { Kind::Pawn };
                text += Piece::new(colour, kind, Orientation::wrapping(code)).name();
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text += if rank > 0 { "/" } else { " " };
        }
        text + if self.side == 0 { "W" } else { "B" }
    }

    pub fn for_each_move(&self, mut visit: impl FnMut(PaddedMove)) {
        if self.king_gone {
            return;
        }
        let enemy_bit = if self.side == 0 { BLACK } else { 0 };
        for &from in &self.lists[self.side][..usize::from(self.counts[self.side])] {
            for quarters in 1..4 {
                visit(PaddedMove { from, via: from, to: from, quarters });
            }
            for offset in DIRECTIONS {
                let to = shifted(from, offset);
                let code = self.board[usize::from(to)];
                if code == 0 {
                    visit(PaddedMove { from, via: from, to, quarters: 0 });
                } else if code != OFF_BOARD && code & BLACK == enemy_bit {
                    for quarters in 1..4 {
                        visit(PaddedMove { from, via: to, to, quarters });
                    }
                    for onward in DIRECTIONS {
                        let end = shifted(to, onward);
                        if self.board[usize::from(end)] == 0 {
                            visit(PaddedMove { from, via: to, to: end, quarters: 0 });
                        }
                    }
                }
            }
        }
    }

    fn put(&mut self, square: u8, code: u8) {
        self.key ^= key_of(code, square);
        self.board[usize::from(square)] = code;
        self.lists[usize::from(code >> 4 & 1)][usize::from(code >> LIST_SHIFT)] = square;
    }

    fn lift(&mut self, square: u8) -> u8 {
        let code = std::mem::take(&mut self.board[usize::from(square)]);
        self.key ^= key_of(code, square);
        code
    }

    pub fn place(&mut self, mv: PaddedMove) {
        let code = self.lift(mv.from);
        if mv.via != mv.from {
            let enemy = self.lift(mv.via);
            self.put(mv.from, enemy);
        }
        self.put(mv.to, code & !3 | (code + mv.quarters) & 3);
    }

    /// The square a side's shot ends on (0 when it leaves the board) and how many squares it crossed.
    pub fn shot(&self, side: usize) -> (u8, u32) {
        let mut square = self.lists[side][0];
        let mut direction = self.board[usize::from(square)] & 3;
        let mut length = 0;
        loop {
            square = shifted(square, BEAM[usize::from(direction)]);
            let code = self.board[usize::from(square)];
            match code & KIND {
                0 => {}
                OFF_BOARD => return (0, length),
                KING => return (square, length + 1),
                _ => {
                    let relative = (code & 3).wrapping_sub(direction) & 3;
                    if relative < 2 {
                        return (square, length + 1);
                    }
                    direction = (direction + 2 * relative + 1) & 3;
                }
            }
            length += 1;
        }
    }

    /// Which squares a side's beam enters.
    pub fn path(&self, side: usize) -> [bool; 100] {
        let mut path = [false; 100];
        let mut square = self.lists[side][0];
        let mut direction = self.board[usize::from(square)] & 3;
        loop {
            square = shifted(square, BEAM[usize::from(direction)]);
            path[usize::from(square)] = true;
            let code = self.board[usize::from(square)];
            match code & KIND {
                0 => {}
                PAWN => {
                    let relative = (code & 3).wrapping_sub(direction) & 3;
                    if relative < 2 {
                        return path;
                    }
                    direction = (direction + 2 * relative + 1) & 3;
                }
                _ => return path,
            }
        }
    }

    pub fn king(&self, side: usize) -> u8 {
        self.lists[side][0]
    }

    pub fn play(&mut self, mv: PaddedMove) {
        self.place(mv);
        let (victim, _) = self.shot(self.side);
        if victim != 0 {
            let code = self.lift(victim);
            let colour = usize::from(code >> 4 & 1);
            if code & KIND == KING {
                self.king_gone = true;
            } else {
                // The last of the list takes the place of the one removed.
                let place = code >> LIST_SHIFT;
                self.counts[colour] -= 1;
                let last = self.lists[colour][usize::from(self.counts[colour])];
                if last != victim {
                    let moved = self.lift(last) & 31 | place << LIST_SHIFT;
                    self.put(last, moved);
                }
            }
        }
        self.side ^= 1;
        self.key = !self.key;
    }

    pub fn key(&self) -> u64 {
        self.key
    }

    pub fn side(&self) -> usize {
        self.side
    }

    pub fn perft(&self, depth: u32) -> u64 {
        let mut count = 0;
        self.for_each_move(|mv| {
            if depth == 1 {
                count += 1;
            } else {
                let mut next = *self;
                next.play(mv);
                count += if next.king_gone { 1 } else { next.perft(depth - 1) };
            }
        });
        count
    }
}

/// The text of a padded move, to compare with the notation of `laser`.
pub fn text(mv: PaddedMove) -> String {
    let name = |square: u8| format!("{}{}", (b'a' + square % 10 - 1) as char, square / 10 - 1);
    let mut text = name(mv.from);
    if mv.via != mv.from {
        text += &name(mv.via);
    }
    match mv.quarters {
        1 => text + "R",
        2 => text + "U",
        3 => text + "L",
        _ => text + &name(mv.to),
    }
}
