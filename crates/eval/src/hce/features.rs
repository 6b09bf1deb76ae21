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
    /// How winnable an ending is, whatever its kind: adds to the scale.
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
    /// By pair of kinds: ours with ours.
    IMBALANCE_OWN: 15, Material;
    /// By pair of different kinds: ours against theirs.
    IMBALANCE_THEIRS: 10, Material;

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

    /// Three files about the king, by file folded and by the rank of our nearest pawn ahead of him (0: none).
    SHELTER: 32, Shelter;
    /// The same for the enemy's nearest pawn, free to advance or rammed by ours.
    STORM: 64, Shelter;
    /// The king's own file: with or without our pawn, with or without theirs.
    KING_FILE: 4, Shelter;
    /// By king steps to our nearest pawn (0: no pawns).
    KING_PAWN_DISTANCE: 8, Shelter;

    // Danger to a king is a sum of its own, in units; its square costs the king's side in the middlegame, the
    // sum itself in the endgame. Knight, bishop, rook, queen where four are given.
    DANGER_BASE: 1, KingDanger;
    /// Per attacker of the zone, and per square of the zone it attacks.
    DANGER_ATTACKER: 4, KingDanger;
    DANGER_HITS: 4, KingDanger;
    /// Per square next to the king attacked and held by king or queen alone, or by nobody.
    DANGER_WEAK: 1, KingDanger;
    /// Checks that cannot be answered by taking: one square, or more.
    DANGER_SAFE_CHECK: 8, KingDanger;
    DANGER_UNSAFE_CHECK: 4, KingDanger;
    DANGER_NO_QUEEN: 1, KingDanger;
    DANGER_PINNED: 1, KingDanger;
    DANGER_WING_ATTACKED: 2, KingDanger;
    DANGER_WING_DEFENDED: 1, KingDanger;
    /// Our minor pieces within the zone.
    DANGER_DEFENDER: 1, KingDanger;
    /// The attacker is to move.
    DANGER_TURN: 1, KingDanger;
    /// By rank of our nearest pawn and of the enemy's nearest pawn, over the three files.
    DANGER_SHIELD: 8, KingDanger;
    DANGER_STORM: 8, KingDanger;

    /// On a rim file or not, held by a pawn or not.
    KNIGHT_OUTPOST: 4, Minors;
    BISHOP_OUTPOST: 4, Minors;
    KNIGHT_REACHES_OUTPOST: 1, Minors;
    /// Knight, bishop.
    MINOR_BEHIND_PAWN: 2, Minors;
    /// By king steps to our king.
    KNIGHT_KING_DISTANCE: 8, Minors;
    BISHOP_KING_DISTANCE: 8, Minors;
    /// By number of our pawns on its colour.
    BISHOP_OWN_PAWNS: 9, Minors;
    /// Times the number of those, for each of our central pawns that is blocked.
    BISHOP_BLOCKED: 1, Minors;
    /// Per enemy pawn on its diagonals.
    BISHOP_FACES_PAWN: 1, Minors;
    BISHOP_LONG_DIAGONAL: 1, Minors;

    /// Half open, open.
    ROOK_FILE: 2, Rooks;
    ROOK_SEVENTH: 1, Rooks;
    ROOK_QUEEN_FILE: 1, Rooks;
    /// Shut in by its own king: castling lost, castling still possible.
    ROOK_TRAPPED: 2, Rooks;
    /// Beyond the middle and out of reach of the enemy's pawns.
    ROOK_INFILTRATION: 1, Rooks;
    QUEEN_INFILTRATION: 1, Queens;
    /// One piece stands between an enemy slider and the queen.
    QUEEN_EXPOSED: 1, Queens;

    /// By kind of the piece threatened, pawn to queen.
    THREAT_BY_PAWN: 5, Threats;
    THREAT_BY_MINOR: 5, Threats;
    THREAT_BY_ROOK: 5, Threats;
    THREAT_BY_KING: 1, Threats;
    HANGING: 1, Threats;
    HELD_BY_QUEEN: 1, Threats;
    /// Squares both attack and the enemy does not hold firmly.
    RESTRICTED: 1, Threats;
    PUSH_THREAT: 1, Threats;
    /// A square from which a knight, a slider would attack the queen.
    QUEEN_HUNT: 2, Threats;

    /// Per square behind and among our pawns, by number of our pieces.
    SPACE: 8, Space;

    /// To the side to move.
    TEMPO: 1, Tempo;

    // Endgame half only from here on: 256ths of it, for whoever stands better.
    WINNABLE_PAWNS: 1, Winnable;
    WINNABLE_BOTH_WINGS: 1, Winnable;
    WINNABLE_PASSED: 1, Winnable;
    /// Kings apart on files rather than ranks.
    WINNABLE_OUTFLANKING: 1, Winnable;
    /// A king beyond the middle.
    WINNABLE_INFILTRATION: 1, Winnable;
    WINNABLE_PAWN_ENDING: 1, Winnable;

    /// By number of pawns of the side that stands better.
    SCALE: 9, Scale;
    /// Opposite bishops and nothing else; and with other pieces.
    SCALE_OPPOSITE: 9, Scale;
    SCALE_OPPOSITE_MORE: 9, Scale;
    /// Rook endings, one rook each.
    SCALE_ROOKS: 9, Scale;
    /// No pawns: at most a minor piece ahead, more than that.
    SCALE_PAWNLESS: 2, Scale;
}
