//! What a move zaps.

/// What a move zaps; better moves are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Victim {
    OwnKing,
    OwnPawn,
    Nothing,
    Pawn,
    King,
}

impl Victim {
    pub(crate) fn is_zap(self) -> bool {
        self >= Victim::Pawn
    }
}
