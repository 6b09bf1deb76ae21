//! Named opponents: the same machine with a taste. A character has favourite openings and likes some kinds of moves
//! more than others; the level, and with it the strength, is set apart.

use super::taste::Taste;
use chess::{Game, Move, Position};
use std::fmt;

/// An opponent with a taste. [`Character::ALL`] lists them; programs offer them by `id`.
#[derive(PartialEq, Debug)]
pub struct Character {
    /// One word, as options and flags name it.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// One sentence in English on what the opponent likes.
    pub about: &'static str,
    taste: Taste,
    /// Favourite openings as moves from the start position; they hold for both sides of the board.
    openings: &'static [&'static str],
}

/// The share of games in which a favourite opening is played where one can be.
const FAITHFUL: f64 = 0.75;

const NEUTRAL: Taste = Taste { sacrifice: 0.0, attack: 0.0, exchange: 0.0, pawn_storm: 0.0, quiet: 0.0 };

/// How to play when no character is chosen.
pub const NO_CHARACTER: &str = "none";

impl Character {
    pub const ALL: &'static [Character] = &[
        Character {
            id: "gambits",
            name: "Greta",
            about: "gives a pawn early and attacks: King's Gambit, Danish, Smith-Morra, Budapest, Benko",
            taste: Taste { sacrifice: 1.6, attack: 0.5, exchange: -0.5, pawn_storm: 0.3, quiet: -0.2 },
            openings: &[
                "e2e4 e7e5 f2f4",
                "e2e4 e7e5 d2d4 e5d4 c2c3",
                "e2e4 c7c5 d2d4 c5d4 c2c3",
                "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4",
                "e2e4 d7d5 e4d5 g8f6 c2c4 c7c6",
                "e2e4 e7e5 f2f4 e5f4",
                "d2d4 g8f6 c2c4 e7e5",
                "d2d4 g8f6 c2c4 c7c5 d4d5 b7b5",
                "d2d4 d7d5 c2c4 e7e5",
                "e2e4 e7e5 g1f3 f7f5",
            ],
        },
        Character {
            id: "attack",
            name: "Rufus",
            about: "goes for the king: checks, pawn storms, pieces near the enemy king",
            taste: Taste { sacrifice: 0.8, attack: 1.0, exchange: -0.8, pawn_storm: 1.0, quiet: -0.4 },
            openings: &[
                "e2e4 e7e5 b1c3",
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3",
                "e2e4 c7c5 b1c3",
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6",
                "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",
                "d2d4 f7f5",
            ],
        },
        Character {
            id: "quiet",
            name: "Otto",
            about: "builds slowly and keeps the position closed: London System, Caro-Kann, Slav",
            taste: Taste { sacrifice: -1.5, attack: -0.4, exchange: -0.6, pawn_storm: -0.6, quiet: 0.7 },
            openings: &[
                "d2d4 d7d5 c1f4",
                "d2d4 g8f6 c1f4",
                "d2d4 d7d5 g1f3 g8f6 c1f4",
                "d2d4 e7e6 c1f4",
                "d2d4 g7g6 c1f4",
                "e2e4 c7c6 d2d4 d7d5",
                "d2d4 d7d5 c2c4 c7c6",
                "c2c4 c7c6",
                "g1f3 d7d5",
            ],
        },
        Character {
            id: "endgames",
            name: "Edda",
            about: "exchanges pieces, queens first, and plays on in the endgame",
            taste: Taste { sacrifice: -1.0, attack: -0.4, exchange: 1.4, pawn_storm: -0.3, quiet: 0.0 },
            openings: &[
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6",
                "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6",
                "e2e4 e7e6 d2d4 d7d5 e4d5",
                "e2e4 c7c6 d2d4 d7d5 e4d5",
                "d2d4 d7d5 c2c4 d5c4",
                "c2c4 e7e5",
                "e2e4 e7e5 g1f3 g8f6",
                "d2d4 g8f6 c2c4 e7e6 g2g3",
            ],
        },
        Character {
            id: "french",
            name: "Frida",
            about: "answers e4 with the French, d4 with the Dutch Stonewall, and plays the English with White",
            taste: NEUTRAL,
            openings: &[
                "c2c4",
                "c2c4 e7e5 b1c3",
                "c2c4 e7e5 g2g3",
                "e2e4 e7e6 d2d4 d7d5",
                "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5",
                "e2e4 e7e6 d2d4 d7d5 b1c3 f8b4",
                "e2e4 e7e6 d2d4 d7d5 b1d2 c7c5",
                "d2d4 e7e6 c2c4 f7f5",
                "d2d4 e7e6 g1f3 f7f5",
            ],
        },
        Character {
            id: "sicilian",
            name: "Sasha",
            about: "plays the Sicilian and the King's Indian, and the Open Sicilian with White",
            taste: NEUTRAL,
            openings: &[
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4",
                "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4",
                "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4",
                "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7",
                "d2d4 g8f6 g1f3 g7g6",
                "c2c4 g8f6 b1c3 g7g6",
            ],
        },
    ];

    pub fn named(id: &str) -> Option<&'static Character> {
        Character::ALL.iter().find(|character| character.id.eq_ignore_ascii_case(id))
    }

    /// By how much a move is more likely than at the same level without a taste.
    pub(super) fn factor(&self, position: &Position, mv: Move) -> f64 {
        self.taste.factor(position, mv)
    }

    /// The favourite moves here, each once; transpositions count. Empty off the favourite lines.
    pub(super) fn favourites(&self, game: &Game) -> Vec<Move> {
        let key = game.position().key();
        let mut found = Vec::new();
        for line in self.openings {
            let mut at = Position::default();
            for word in line.split(' ') {
                let Ok(mv) = at.parse_uci(word) else { break };
                if at.key() == key && !found.contains(&mv) {
                    found.push(mv);
                }
                at.play(mv);
            }
        }
        found
    }

    /// Whether a favourite is played, by a random number from 0 to 1.
    pub(super) fn is_faithful(unit: f64) -> bool {
        unit < FAITHFUL
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_every_id_is_one_word() {
        for character in Character::ALL {
            assert!(
                character.id.chars().all(|letter| letter.is_ascii_lowercase()) && !character.about.is_empty()
            );
            assert_eq!(Character::named(character.id), Some(character));
            assert_ne!(character.id, NO_CHARACTER);
            for line in character.openings {
                let mut at = Position::default();
                for word in line.split(' ') {
                    let mv = at.parse_uci(word).unwrap();
                    at.play(mv);
                }
            }
        }
        assert_eq!(Character::named("nobody"), None);
    }

    #[test]
    fn favourites_follow_transpositions() {
        let otto = Character::named("quiet").unwrap();
        let mut game = Game::default();
        for word in ["g1f3", "d7d5", "d2d4", "g8f6"] {
            let mv = game.position().parse_uci(word).unwrap();
            game.play(mv).unwrap();
        }
        let wanted = game.position().parse_uci("c1f4").unwrap();
        assert_eq!(otto.favourites(&game), [wanted]);
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
        assert!(otto.favourites(&Game::new(position)).is_empty());
    }
}
