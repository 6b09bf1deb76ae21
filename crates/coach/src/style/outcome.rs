//! What one game shows of the style of its players.

use super::material::{balance, pieces, queens};
use chess::{Color, Game, Position};

/// Plies a deficit must last to be a sacrifice and no exchange under way, and an advantage to be one that was held.
const LASTING: usize = 8;
/// A game that ends sooner: the deficit must have stood this long when the opponent gave up, or until the mate.
const LASTING_TO_THE_END: usize = 4;
const LASTING_TO_THE_MATE: usize = 2;
/// With this much left besides pawns and kings (62 at the start) the ending has not begun.
const BEFORE_THE_ENDING: i32 = 28;

/// How much the winner had given up, in pawns; the largest of a game counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sacrifice {
    One,
    Two,
    Three,
    Four,
    /// Five pawns or more.
    Five,
    /// Five or more, and a queen less than the opponent all the while.
    Queen,
}

impl Sacrifice {
    pub const ALL: [Sacrifice; 6] = [
        Sacrifice::One,
        Sacrifice::Two,
        Sacrifice::Three,
        Sacrifice::Four,
        Sacrifice::Five,
        Sacrifice::Queen,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Sacrifice::One => "1",
            Sacrifice::Two => "2",
            Sacrifice::Three => "3",
            Sacrifice::Four => "4",
            Sacrifice::Five => "5+",
            Sacrifice::Queen => "queen",
        }
    }
}

/// A finished game, seen by one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOutcome {
    Won {
        /// Full moves played, a half counted whole.
        moves: u32,
        sacrifice: Option<Sacrifice>,
    },
    Drawn {
        bad: bool,
    },
    Lost,
}

impl GameOutcome {
    /// `winner`: as the game's result says; people resign and flags fall.
    pub fn of(game: &Game, winner: Option<Color>, player: Color) -> GameOutcome {
        match winner {
            None => GameOutcome::Drawn { bad: is_bad_draw(game, player) },
            Some(winner) if winner == player => GameOutcome::Won {
                moves: game.moves().len().div_ceil(2) as u32,
                sacrifice: sacrifice(game, player),
            },
            Some(_) => GameOutcome::Lost,
        }
    }
}

/// Whether `holds` for enough positions in a row.
fn lasts(game: &Game, holds: impl Fn(&Position) -> bool) -> bool {
    let mut run = 0;
    for position in game.positions() {
        run = if holds(position) { run + 1 } else { 0 };
        if run >= LASTING {
            return true;
        }
    }
    let enough = if game.position().is_checkmate() { LASTING_TO_THE_MATE } else { LASTING_TO_THE_END };
    run >= enough
}

/// The deficit is counted from what the start gave: odds are no sacrifice.
fn sacrifice(game: &Game, player: Color) -> Option<Sacrifice> {
    let given = balance(game.start(), player);
    let behind = |position: &Position, pawns: i32| balance(position, player) - given <= -pawns;
    if lasts(game, |position| behind(position, 5) && queens(position, player) < queens(game.start(), player))
    {
        return Some(Sacrifice::Queen);
    }
    let sizes = [Sacrifice::Five, Sacrifice::Four, Sacrifice::Three, Sacrifice::Two, Sacrifice::One];
    sizes.into_iter().find(|size| lasts(game, |position| behind(position, *size as i32 + 1)))
}

/// A draw with the pieces still on, or from a pawn or more ahead; but a draw saved from behind is a good one.
fn is_bad_draw(game: &Game, player: Color) -> bool {
    let given = balance(game.start(), player);
    let ahead = |position: &Position| balance(position, player) - given;
    let was_behind = lasts(game, |position| ahead(position) <= -1);
    let was_ahead = lasts(game, |position| ahead(position) >= 1);
    !was_behind && (was_ahead || pieces(game.position()) >= BEFORE_THE_ENDING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::PgnReader;

    fn game(moves: &str) -> Game {
        PgnReader::new(moves.as_bytes()).next().unwrap().unwrap().to_game()
    }

    /// Légal's mate: a queen for a pawn and a piece, three plies before the end.
    const LEGAL: &str =
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. Nc3 Bg4 5. h3 Bh5 6. Nxe5 Bxd1 7. Bxf7+ Ke7 8. Nd5# 1-0";
    /// The Opera game: a knight, then the queen.
    const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
                         10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";
    /// A pawn is offered and taken back five plies later: an exchange, no sacrifice.
    const GAMBIT_DECLINED_LATER: &str = "1. d4 d5 2. c4 dxc4 3. e3 e5 4. Bxc4 exd4 5. exd4 Nf6 1-0";

    #[test]
    fn sacrifices_by_size() {
        for (moves, expected) in [
            (LEGAL, Some(Sacrifice::Queen)),
            (OPERA, Some(Sacrifice::Queen)),
            (GAMBIT_DECLINED_LATER, None),
            // Scholar's mate costs nothing.
            ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", None),
            // The Danish gambit: two pawns for good.
            (
                "1. e4 e5 2. d4 exd4 3. c3 dxc3 4. Bc4 cxb2 5. Bxb2 Nf6 6. Nc3 Be7 7. Nf3 O-O 8. O-O d6 9. Qb3 a6 1-0",
                Some(Sacrifice::Two),
            ),
            // The Cochrane gambit: a knight for two pawns is one pawn.
            (
                "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nxf7 Kxf7 5. Nc3 c5 6. Be2 Nc6 7. O-O Be7 8. d3 Rf8 1-0",
                Some(Sacrifice::One),
            ),
        ] {
            assert_eq!(sacrifice(&game(moves), Color::White), expected, "{moves}");
        }
    }

    #[test]
    fn odds_are_no_sacrifice() {
        let moves = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\"]\n\n\
                     1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 1-0";
        assert_eq!(sacrifice(&game(moves), Color::White), None);
    }

    #[test]
    fn a_scene_is_seen_from_a_side() {
        let game = game(LEGAL);
        let white = GameOutcome::of(&game, Some(Color::White), Color::White);
        assert_eq!(white, GameOutcome::Won { moves: 8, sacrifice: Some(Sacrifice::Queen) });
        assert_eq!(GameOutcome::of(&game, Some(Color::White), Color::Black), GameOutcome::Lost);
    }

    #[test]
    fn draws_are_bad_with_pieces_on_or_from_ahead_and_never_from_behind() {
        let short = game("1. e4 e5 2. Nf3 Nf6 1/2-1/2");
        assert_eq!(GameOutcome::of(&short, None, Color::White), GameOutcome::Drawn { bad: true });
        // Black took a pawn and kept it: bad for Black, saved by White.
        let pawn_up = game("1. d4 d5 2. c4 dxc4 3. Nf3 b5 4. a4 c6 5. e3 Nf6 6. Be2 e6 7. O-O Be7 1/2-1/2");
        assert_eq!(GameOutcome::of(&pawn_up, None, Color::White), GameOutcome::Drawn { bad: false });
        assert_eq!(GameOutcome::of(&pawn_up, None, Color::Black), GameOutcome::Drawn { bad: true });
        let ending = game("[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 Kd7 1/2-1/2");
        assert_eq!(GameOutcome::of(&ending, None, Color::White), GameOutcome::Drawn { bad: false });
    }
}
