//! What a move is called, by the expected points it gives away.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveClass {
    /// From the opening table.
    Book,
    /// No other move was legal.
    Forced,
    /// The only good move, and few people of that level find it.
    Great,
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MoveClass {
    pub const ALL: [MoveClass; 8] = [
        MoveClass::Book,
        MoveClass::Forced,
        MoveClass::Great,
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::Blunder,
    ];

    /// Lichess's limits: 5, 10 and 15 points in a hundred.
    pub fn of_loss(loss: f64) -> MoveClass {
        match loss {
            loss if loss >= 0.15 => MoveClass::Blunder,
            loss if loss >= 0.10 => MoveClass::Mistake,
            loss if loss >= 0.05 => MoveClass::Inaccuracy,
            _ => MoveClass::Good,
        }
    }

    /// Whether the player chose the move: opening theory and forced moves say nothing about a player.
    pub const fn is_judged(self) -> bool {
        !matches!(self, MoveClass::Book | MoveClass::Forced)
    }

    pub const fn is_error(self) -> bool {
        matches!(self, MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder)
    }

    /// The sign annotators put behind such a move.
    pub const fn sign(self) -> &'static str {
        match self {
            MoveClass::Great => "!",
            MoveClass::Inaccuracy => "?!",
            MoveClass::Mistake => "?",
            MoveClass::Blunder => "??",
            _ => "",
        }
    }

    /// The same as PGN numbers it.
    pub const fn nag(self) -> Option<u8> {
        match self {
            MoveClass::Great => Some(1),
            MoveClass::Mistake => Some(2),
            MoveClass::Blunder => Some(4),
            MoveClass::Inaccuracy => Some(6),
            _ => None,
        }
    }

    /// `1 blunder`, `2 blunders`; the other names are adjectives and have no plural.
    pub fn counted(self, count: u32) -> String {
        let plural = match self {
            MoveClass::Inaccuracy => "inaccuracies",
            MoveClass::Mistake => "mistakes",
            MoveClass::Blunder => "blunders",
            _ => self.name(),
        };
        format!("{count} {}", if count == 1 { self.name() } else { plural })
    }

    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Book => "book",
            MoveClass::Forced => "forced",
            MoveClass::Great => "great",
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::Blunder => "blunder",
        }
    }
}

impl fmt::Display for MoveClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_plurals() {
        assert_eq!(MoveClass::Blunder.counted(1), "1 blunder");
        assert_eq!(MoveClass::Inaccuracy.counted(2), "2 inaccuracies");
        assert_eq!(MoveClass::Best.counted(20), "20 best");
    }

    #[test]
    fn limits_belong_to_the_worse_class() {
        for (loss, class) in [
            (0.0, MoveClass::Good),
            (0.0499, MoveClass::Good),
            (0.05, MoveClass::Inaccuracy),
            (0.10, MoveClass::Mistake),
            (0.15, MoveClass::Blunder),
            (1.0, MoveClass::Blunder),
        ] {
            assert_eq!(MoveClass::of_loss(loss), class, "{loss}");
            assert_eq!(class.is_error(), loss >= 0.05);
        }
    }
}
