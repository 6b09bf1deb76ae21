//! The numbers of the evaluation, each in one place.

/// Weights in fine units, 10,000 to a pawn. The defaults are the 2018 reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A pawn.
    pub material: i32,
    /// A pawn inside the rectangle spanned by the kings.
    pub between: i32,
    /// A pawn in the very centre; falls off with distance.
    pub central: i32,
    /// A king that looks straight at the other.
    pub face: i32,
    /// A king with the whole board at its back.
    pub aggressive: i32,
    /// One unit of laser coverage.
    pub coverage: i32,
    /// A square around the king that the enemy's beam does not touch. The reference computes it and leaves it out.
    pub mobility: i32,
    /// A square on or around the enemy king that our beam could reach after one move. Ours, not the reference's.
    pub siege: i32,
    /// The enemy king itself within that reach. Ours.
    pub threat: i32,
}

impl Weights {
    /// What the 2018 staff player uses: mobility off.
    pub const REFERENCE: Weights = Weights {
        material: 10000,
        between: 250,
        central: 500,
        face: 5000,
        aggressive: 26000,
        coverage: 1600,
        mobility: 0,
        siege: 0,
        threat: 0,
    };

    /// The reference with its own mobility term switched on, as the teams did.
    pub const WITH_MOBILITY: Weights = Weights { mobility: 800, ..Weights::REFERENCE };

    /// Our own: fitted to self-play twice, each time with the weights before; see `results/laser/fit.md`.
    pub const FITTED: Weights = Weights {
        material: 10000,
        between: 4545,
        central: 0,
        face: 32971,
        aggressive: 30299,
        coverage: 1976,
        mobility: 1116,
        siege: 70,
        threat: 1837,
    };
}
