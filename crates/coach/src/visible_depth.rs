//! How far ahead one must look to see an error, by the lines that prove it.

use crate::balance::settled_balances;
use chess::Position;
use human_model::oracle::Line;
use kernel::Kind;
use std::cmp::Reverse;

/// What shows an error to its player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Visibility {
    /// Mate or material after so many plies, counted from the move itself.
    Plies(u32),
    /// Tactics that the lines shown do not bring to an end.
    Beyond,
    /// Nothing is won by force: the move is worse by judgement.
    Positional,
}

/// A pawn: the least gain of material that counts.
const GAIN: i32 = 100;

/// Looks for mate or a lasting gain of material in the better line and in the refutation, which begin with a move of the
/// same player; the larger of the two shows the error. `is_tactical` tells what is said where there is neither.
pub fn visibility(position: &Position, better: &Line, refutation: &Line, is_tactical: bool) -> Visibility {
    let missed = match better.score.kind() {
        Kind::MateIn(plies) => Some((i32::MAX, plies)),
        // The own capture shows it, not the reply that settles it.
        _ => lasting(position, better, 1).map(|(gain, plies)| (gain, plies - (plies + 1) % 2)),
    };
    let suffered = match refutation.score.kind() {
        Kind::MatedIn(plies) => Some((i32::MAX, plies)),
        _ => lasting(position, refutation, -1).map(|(gain, plies)| (gain, plies - plies % 2)),
    };
    let most = missed.into_iter().chain(suffered).max_by_key(|(gain, plies)| (*gain, Reverse(*plies)));
    match (most, is_tactical) {
        (Some((_, plies)), _) => Visibility::Plies(plies),
        (None, true) => Visibility::Beyond,
        (None, false) => Visibility::Positional,
    }
}

/// What is gained in the end, and the ply from which on at least a pawn is; not counted where something hangs. `sign` is 1
/// for gains of the line's first player, -1 for those of the other.
fn lasting(position: &Position, line: &Line, sign: i32) -> Option<(i32, u32)> {
    let mut since: Option<(i32, u32)> = None;
    for (ply, balance) in (1..).zip(settled_balances(position, &line.moves)) {
        match balance.map(|balance| sign * balance) {
            Some(gain) if gain >= GAIN => since = Some((gain, since.map_or(ply, |(_, first)| first))),
            Some(_) => since = None,
            None => {}
        }
    }
    since
}

impl Visibility {
    /// In words, as the report says it.
    pub const fn words(self) -> &'static str {
        match self {
            Visibility::Plies(..=1) => "Easy to spot",
            Visibility::Plies(2) => "Easy to spot: look at the reply",
            Visibility::Plies(3..=4) => "Needs 2 moves of calculation",
            Visibility::Plies(5..=6) => "Needs 3 moves of calculation",
            Visibility::Plies(_) => "Needs 4+ moves of calculation",
            Visibility::Beyond => "Needs long calculation",
            Visibility::Positional => "A positional error: no tactics",
        }
    }

    /// The same where few people of the level find the better move.
    pub const fn words_if_rare(self) -> &'static str {
        match self {
            Visibility::Plies(..=2) => "Not deep, yet few see it",
            other => other.words(),
        }
    }

    pub const fn plies(self) -> Option<u32> {
        match self {
            Visibility::Plies(plies) => Some(plies),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Move;
    use human_model::shown_score::ShownScore;
    use kernel::Score;

    fn seen(fen: &str, better: &str, refutation: &str) -> Visibility {
        let position = Position::from_fen(fen).unwrap();
        let line = |text: &str| {
            let mut at = position.clone();
            let moves: Vec<Move> = text
                .split(' ')
                .map(|word| {
                    let mv = at.parse_uci(word).unwrap();
                    at.play(mv);
                    mv
                })
                .collect();
            Line { mv: moves[0], score: ShownScore::DRAW, search_score: Score::ZERO, moves, depth: 9 }
        };
        visibility(&position, &line(better), &line(refutation), false)
    }

    #[test]
    fn what_hangs_is_seen_by_looking_at_the_reply() {
        let fen = "4k3/8/5p2/8/8/8/6Q1/4K3 w - - 0 1";
        assert_eq!(seen(fen, "g2e2 e8f7", "g2g5 f6g5 e1e2"), Visibility::Plies(2));
    }

    #[test]
    fn a_piece_that_is_not_taken_is_easy_to_spot() {
        let fen = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1";
        assert_eq!(seen(fen, "e3d5 e8d7", "e3g4 e8d7"), Visibility::Plies(1));
    }

    #[test]
    fn the_larger_loss_counts() {
        // A pawn could be taken at once; the move played leaves the queen to be taken.
        let fen = "4k3/8/5p2/7p/8/8/6Q1/4K2R w K - 0 1";
        assert_eq!(seen(fen, "h1h5 e8e7", "g2g5 f6g5 e1e2"), Visibility::Plies(2));
    }

    #[test]
    fn a_fork_needs_2_moves() {
        let fork = "r3k3/8/8/3N4/7p/8/8/4K3 b - - 0 1";
        assert_eq!(seen(fork, "a8c8 e1f2", "h4h3 d5c7 e8d7 c7a8 d7c8"), Visibility::Plies(4));
    }

    #[test]
    fn an_exchange_is_no_gain_and_quiet_lines_are_positional() {
        let fen = "4k3/3p4/4n3/8/8/8/4R3/4K3 w - - 0 1";
        assert_eq!(seen(fen, "e1d1 e8e7", "e1f1 e8e7"), Visibility::Positional);
        let even = "4k3/3p4/4r3/8/8/8/4R3/4K3 w - - 0 1";
        assert_eq!(seen(even, "e2e6 d7e6 e1e2", "e1f1 e6e2 f1e2"), Visibility::Positional);
    }
}
