//! Fixed sets of squares the terms ask for, as tables computed at compile time.

use chess::{Bitboard, Color, File, Square};

const fn file_of(index: usize) -> u64 {
    Bitboard::FILE_A.0 << index
}

const ADJACENT: [Bitboard; 8] = {
    let mut table = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        let mut set = 0;
        if file > 0 {
            set |= file_of(file - 1);
        }
        if file < 7 {
            set |= file_of(file + 1);
        }
        table[file] = Bitboard(set);
        file += 1;
    }
    table
};

/// The ranks strictly ahead of each square, for White and Black.
const fn ahead(white: bool, square: usize) -> u64 {
    let rank = square / 8;
    if white { if rank == 7 { 0 } else { !0 << (8 * (rank + 1)) } } else { (1 << (8 * rank)) - 1 }
}

const fn spans(own_file: bool, adjacent: bool) -> [[Bitboard; 64]; 2] {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let file = square % 8;
        let mut files = 0;
        if own_file {
            files |= file_of(file);
        }
        if adjacent {
            files |= ADJACENT[file].0;
        }
        table[0][square] = Bitboard(ahead(true, square) & files);
        table[1][square] = Bitboard(ahead(false, square) & files);
        square += 1;
    }
    table
}

static FILE_AHEAD: [[Bitboard; 64]; 2] = spans(true, false);
static PASSED_SPAN: [[Bitboard; 64]; 2] = spans(true, true);

/// Nine squares wherever the king stands: at the edge the zone is that of the king one step inside.
static KING_ZONE: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let (mut file, mut rank) = (square % 8, square / 8);
        if file == 0 {
            file = 1;
        } else if file == 7 {
            file = 6;
        }
        if rank == 0 {
            rank = 1;
        } else if rank == 7 {
            rank = 6;
        }
        table[square] = Bitboard(0x07_0707 << (8 * (rank - 1) + file - 1));
        square += 1;
    }
    table
};

/// The files next to a file.
#[inline(always)]
pub fn adjacent_files(file: File) -> Bitboard {
    ADJACENT[file.index()]
}

/// The squares in front of a pawn, up to the last rank.
#[inline(always)]
pub fn file_ahead(color: Color, square: Square) -> Bitboard {
    FILE_AHEAD[color.index()][square.index()]
}

/// Where an enemy pawn stops a pawn from being passed.
#[inline(always)]
pub fn passed_span(color: Color, square: Square) -> Bitboard {
    PASSED_SPAN[color.index()][square.index()]
}

#[inline(always)]
pub fn king_zone(king: Square) -> Bitboard {
    KING_ZONE[king.index()]
}

/// The wing a king lives on: three or four files.
static WING: [Bitboard; 8] = {
    let queenside = file_of(0) | file_of(1) | file_of(2) | file_of(3);
    let centre = file_of(2) | file_of(3) | file_of(4) | file_of(5);
    let kingside = file_of(4) | file_of(5) | file_of(6) | file_of(7);
    [
        Bitboard(queenside & !file_of(3)),
        Bitboard(queenside),
        Bitboard(queenside),
        Bitboard(centre),
        Bitboard(centre),
        Bitboard(kingside),
        Bitboard(kingside),
        Bitboard(kingside & !file_of(4)),
    ]
};

#[inline(always)]
pub fn wing(king: Square) -> Bitboard {
    WING[king.file().index()]
}

/// One rank forward as `color` sees it.
#[inline(always)]
pub fn forward(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => set.north(),
        Color::Black => set.south(),
    }
}

/// One rank back as `color` sees it.
#[inline(always)]
pub fn backward(color: Color, set: Bitboard) -> Bitboard {
    forward(
        match color {
            Color::White => Color::Black,
            Color::Black => Color::White,
        },
        set,
    )
}

/// Everything in front of a set, file by file, the set included.
#[inline(always)]
pub fn fill_forward(color: Color, set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    match color {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    Bitboard(bits)
}

/// Relative ranks `from..=to`, counted from 0, as `color` sees them.
#[inline(always)]
pub fn ranks(color: Color, from: usize, to: usize) -> Bitboard {
    let white = (!0 << (8 * from)) & (!0 >> (8 * (7 - to)));
    match color {
        Color::White => Bitboard(white),
        Color::Black => Bitboard(white).flip_ranks(),
    }
}

/// The file folded onto a to d: 0 at the edge, 3 in the centre.
#[inline(always)]
pub fn folded_file(file: File) -> usize {
    let index = file.index();
    if index < 4 { index } else { 7 - index }
}

/// The square seen by its owner with the wings folded together, 0 to 31.
#[inline(always)]
pub fn folded_square(color: Color, square: Square) -> usize {
    let seen = square.relative_to(color);
    seen.rank().index() * 4 + folded_file(seen.file())
}

/// Files e to h.
pub const KINGSIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
/// Files c to f.
pub const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// d4, e4, d5, e5.
pub const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    #[test]
    fn spans_lie_ahead() {
        assert_eq!(file_ahead(Color::White, square("e6")).count(), 2);
        assert_eq!(file_ahead(Color::Black, square("e2")), square("e1").bitboard());
        assert_eq!(passed_span(Color::White, square("a5")).count(), 6);
        assert!(passed_span(Color::White, square("d8")).is_empty());
    }

    #[test]
    fn tables_are_the_same_for_both_colours() {
        for square in Square::all() {
            for span in [file_ahead, passed_span] {
                assert_eq!(span(Color::Black, square).flip_ranks(), span(Color::White, square.flip_rank()));
            }
            assert_eq!(king_zone(square).flip_ranks(), king_zone(square.flip_rank()));
            assert_eq!(king_zone(square).count(), 9);
            assert_eq!(folded_square(Color::White, square), folded_square(Color::Black, square.flip_rank()));
            assert_eq!(folded_square(Color::White, square), folded_square(Color::White, square.flip_file()));
        }
    }

    #[test]
    fn relative_ranks() {
        assert_eq!(ranks(Color::White, 3, 5), Bitboard(0x0000_ffff_ff00_0000));
        assert_eq!(ranks(Color::Black, 0, 0), Bitboard::RANK_8);
    }
}
