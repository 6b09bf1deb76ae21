//! Every weight of the evaluation has a place: a feature is a named run of places in one flat table.
//!
//! The table is what the tuner fits and what `weights.rs` stores by name, so a feature added here starts at zero
//! until the next fit and nothing else needs to know.

use super::tapered::Tapered;
use std::mem::offset_of;

/// The groups the `eval` table shows and the laboratory can switch off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Term {
    Material,
    PieceSquares,
    Mobility,
    Pawns,
    PassedPawns,
    Shelter,
    KingDanger,
    Minors,
    Rooks,
    Queens,
    Threats,
    Space,
    Tempo,
    /// How winnable an ending is: moves the endgame half towards or away from zero.
    Winnable,
    /// Multiplies the endgame half: opposite bishops, too few pawns to win.
    Scale,
}

impl Term {
    pub const ALL: [Term; 15] = [
        Term::Material,
        Term::PieceSquares,
        Term::Mobility,
        Term::Pawns,
        Term::PassedPawns,
        Term::Shelter,
        Term::KingDanger,
        Term::Minors,
        Term::Rooks,
        Term::Queens,
        Term::Threats,
        Term::Space,
        Term::Tempo,
        Term::Winnable,
        Term::Scale,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "Material",
            Term::PieceSquares => "Piece squares",
            Term::Mobility => "Mobility",
            Term::Pawns => "Pawns",
            Term::PassedPawns => "Passed pawns",
            Term::Shelter => "King shelter",
            Term::KingDanger => "King danger",
            Term::Minors => "Minor pieces",
            Term::Rooks => "Rooks",
            Term::Queens => "Queens",
            Term::Threats => "Threats",
            Term::Space => "Space",
            Term::Tempo => "Tempo",
            Term::Winnable => "Winnable",
            Term::Scale => "Scale",
        }
    }

    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A run of weights in the flat table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    pub name: &'static str,
    pub offset: usize,
    pub len: usize,
    pub term: Term,
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $len:expr, $term:ident;)*) => {
        /// The flat table as the compiler lays it out; only its offsets are used.
        #[allow(non_snake_case, dead_code)]
        #[repr(C)]
        struct Layout {
            $($name: [Tapered; $len],)*
        }
        $(
            $(#[$doc])*
            pub const $name: Feature = Feature {
                name: stringify!($name),
                offset: offset_of!(Layout, $name) / size_of::<Tapered>(),
                len: $len,
                term: Term::$term,
            };
        )*
        /// All features in the order of the table.
        pub const ALL: &[Feature] = &[$($name),*];
        /// How many weights there are.
        pub const COUNT: usize = size_of::<Layout>() / size_of::<Tapered>();
    };
}

features! {
    /// Pawn to queen.
    MATERIAL: 5, Material;
    /// By how many pawns we have: a pair gains as the board opens.
    BISHOP_PAIR: 9, Material;
    /// By how many pawns we have.
    KNIGHT_PAWNS: 9, Material;
    ROOK_PAWNS: 9, Material;

    /// Seen from the owner's side; the wings differ.
    PAWN_SQUARE: 64, PieceSquares;
    /// The other tables fold the wings onto files a to d.
    KNIGHT_SQUARE: 32, PieceSquares;
    BISHOP_SQUARE: 32, PieceSquares;
    ROOK_SQUARE: 32, PieceSquares;
    QUEEN_SQUARE: 32, PieceSquares;
    KING_SQUARE: 32, PieceSquares;

    /// By number of squares in the mobility area.
    KNIGHT_MOBILITY: 9, Mobility;
    BISHOP_MOBILITY: 14, Mobility;
    ROOK_MOBILITY: 15, Mobility;
    QUEEN_MOBILITY: 28, Mobility;

    /// Opposed or not, by file.
    ISOLATED: 8, Pawns;
    /// Another own pawn ahead on the file: without and with support.
    DOUBLED: 2, Pawns;
    /// Opposed or not, by rank.
    BACKWARD: 16, Pawns;
    /// By rank.
    PHALANX: 8, Pawns;
    SUPPORTED: 8, Pawns;
    /// Helpers enough or not, by rank.
    CANDIDATE: 16, Pawns;
    /// An enemy pawn stands in front, on our fifth or sixth.
    RAM: 2, Pawns;

    /// By rank.
    PASSED: 8, PassedPawns;
    PASSED_SUPPORTED: 8, PassedPawns;
    /// Rank four to seven, by king steps to the square in front.
    PASSED_OWN_KING: 32, PassedPawns;
    PASSED_ENEMY_KING: 32, PassedPawns;
    /// The square in front is empty or not, attacked or not, by rank.
    PASSED_ADVANCE: 32, PassedPawns;
    /// Nothing hinders all the way, by rank.
    PASSED_FREE_PATH: 8, PassedPawns;
    /// A rook behind: ours, theirs.
    PASSED_ROOK_BEHIND: 2, PassedPawns;
    /// The enemy has no piece left and his king is too late.
    PASSED_UNSTOPPABLE: 1, PassedPawns;

    /// To the side to move.
    TEMPO: 1, Tempo;
}
