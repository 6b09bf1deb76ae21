//! Tactical motifs of a line, found by rules from the moves of the line alone.

use crate::balance::{gain, piece_name, settled_balances};
use crate::tactics::{self, Rule, Track};
use crate::winnings::Winnings;
use chess::{Move, MoveKind, PieceKind, Position, SEE_VALUES, attacks};
use human_model::shown_score::ShownScore;
use kernel::Kind;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Motif {
    /// The line mates in so many moves.
    Mate(u32),
    /// The mate is given on the king's own back rank by a rook or queen.
    BackRank,
    /// The first move takes something that was not, or not enough, defended.
    Takes(PieceKind),
    /// The first move attacks two things at once.
    Fork,
    Skewer,
    Pin,
    DiscoveredAttack,
    TrappedPiece,
    OverloadedDefender,
    PassedPawn,
    KingAttack,
    Tempo,
    Promotion,
    /// Checks without end hold the draw.
    PerpetualCheck,
    /// What the line wins in the end.
    Wins(Winnings),
}

impl Motif {
    /// The name of the theme, without figures.
    pub fn theme(&self) -> String {
        match self {
            Motif::Mate(_) => "mate".to_string(),
            Motif::Takes(_) => "hanging piece".to_string(),
            other => other.to_string(),
        }
    }

    /// The first move takes a piece, not a pawn, for nothing or too little.
    pub const fn takes_a_piece(&self) -> bool {
        matches!(self, Motif::Takes(kind) if !matches!(kind, PieceKind::Pawn))
    }

    /// The length of the mate among these motifs, in moves.
    pub fn mate_in(motifs: &[Motif]) -> Option<u32> {
        motifs.iter().find_map(|motif| if let Motif::Mate(moves) = motif { Some(*moves) } else { None })
    }
}

impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Motif::Mate(moves) => write!(f, "mate in {moves}"),
            Motif::BackRank => f.write_str("back-rank mate"),
            Motif::Takes(kind) => write!(f, "hanging {}", piece_name(*kind)),
            Motif::Fork => f.write_str("fork"),
            Motif::Skewer => f.write_str("skewer"),
            Motif::Pin => f.write_str("pin"),
            Motif::DiscoveredAttack => f.write_str("discovered attack"),
            Motif::TrappedPiece => f.write_str("trapped piece"),
            Motif::OverloadedDefender => f.write_str("overloaded defender"),
            Motif::PassedPawn => f.write_str("passed pawn"),
            Motif::KingAttack => f.write_str("attack on the king"),
            Motif::Tempo => f.write_str("gain of tempo"),
            Motif::Promotion => f.write_str("promotion"),
            Motif::PerpetualCheck => f.write_str("perpetual check"),
            Motif::Wins(winnings) => winnings.fmt(f),
        }
    }
}

/// The motifs of a line that is good for the side to move; `score` is that side's.
pub fn motifs(position: &Position, line: &[Move], score: ShownScore) -> Vec<Motif> {
    read(position, line, score, None)
}

/// The motifs of the line that punishes a move; `score` is the punisher's. What the move itself had taken is no loss.
pub fn refutation_motifs(before: &Position, mv: Move, line: &[Move], score: ShownScore) -> Vec<Motif> {
    read(&before.after(mv), line, score, Some((before, mv)))
}

/// `before`: the position before and the move that led from it.
fn read(
    position: &Position,
    line: &[Move],
    score: ShownScore,
    before: Option<(&Position, Move)>,
) -> Vec<Motif> {
    let mut found = Vec::new();
    let paid = before.map(|(before, mv)| (mv, gain(before, mv)));
    let Some(&first) = line.first() else { return found };
    // Taking back is no gift: only what comes on top of it.
    let returned = paid.filter(|(mv, _)| mv.to() == first.to()).map_or(0, |(_, value)| value);
    if let Kind::MateIn(plies) = score.kind() {
        found.push(Motif::Mate(plies.div_ceil(2)));
        if mates_on_back_rank(position, line) {
            found.push(Motif::BackRank);
        }
    }
    if let Some(kind) = position.captured(first)
        && position.see_at_least(first, SEE_VALUES[kind.index()].min(200) + returned)
    {
        found.push(Motif::Takes(kind));
    }
    if is_fork(position, first) {
        found.push(Motif::Fork);
    }
    let track = Track::new(position, line);
    let rules: [(Motif, Rule); 7] = [
        (Motif::Skewer, tactics::has_skewer),
        (Motif::Pin, tactics::has_pin),
        (Motif::DiscoveredAttack, tactics::has_discovered_attack),
        (Motif::TrappedPiece, tactics::has_trapped_piece),
        (Motif::OverloadedDefender, tactics::has_overloaded_defender),
        (Motif::KingAttack, tactics::has_king_attack),
        (Motif::Tempo, tactics::has_tempo),
    ];
    found.extend(rules.into_iter().filter(|(_, holds)| holds(&track)).map(|(motif, _)| motif));
    let own_moves = line.iter().step_by(2);
    if tactics::has_passed_pawn(&track) && !own_moves.clone().any(|mv| mv.is_promotion()) {
        found.push(Motif::PassedPawn);
    }
    if own_moves.clone().any(|mv| mv.is_promotion()) {
        found.push(Motif::Promotion);
    }
    if score == ShownScore::DRAW && tactics::has_perpetual_check(&track) {
        found.retain(|motif| *motif != Motif::KingAttack);
        found.push(Motif::PerpetualCheck);
    }
    if score.as_centipawns().is_some() {
        let won = material_won(position, line) - paid.map_or(0, |(_, value)| value);
        if won >= 100 {
            let winnings = match before {
                // From before the move: what it took is part of the account.
                Some((before, mv)) => {
                    let all: Vec<Move> = std::iter::once(mv).chain(line.iter().copied()).collect();
                    Winnings::new(before, &all, position.turn(), (won + 50) / 100)
                }
                None => Winnings::new(position, line, position.turn(), (won + 50) / 100),
            };
            // A pawn that is taken on the way to more is not what the line is about.
            if !winnings.is_pawns() {
                found.retain(|motif| *motif != Motif::Takes(PieceKind::Pawn));
            }
            found.push(Motif::Wins(winnings));
        }
    }
    found
}

/// Whether a line with these motifs comes to something: mate, material, a draw by checks, a new queen or a pawn on its way.
pub fn has_result(motifs: &[Motif]) -> bool {
    motifs.iter().any(|motif| {
        matches!(
            motif,
            Motif::Mate(_)
                | Motif::Takes(_)
                | Motif::Wins(_)
                | Motif::Promotion
                | Motif::PassedPawn
                | Motif::PerpetualCheck
        )
    })
}

/// Material the side to move gains over the line, which ends with its own move or a quiet one.
fn material_won(position: &Position, line: &[Move]) -> i32 {
    settled_balances(position, line).into_iter().flatten().last().unwrap_or(0)
}

fn mates_on_back_rank(position: &Position, line: &[Move]) -> bool {
    let mut at = position.clone();
    for mv in line {
        if !at.is_legal(*mv) {
            return false;
        }
        at.play(*mv);
    }
    let (Some(last), true) = (line.last(), at.is_checkmate()) else { return false };
    let (board, side) = (at.board(), at.turn());
    let king = board.king(side);
    let heavy = at
        .piece_on(last.to())
        .is_some_and(|piece| matches!(piece.kind(), PieceKind::Rook | PieceKind::Queen));
    // The king's own pieces in front of it, not the attacker, leave it no square.
    let is_shut_in =
        attacks::king(king).into_iter().filter(|square| square.rank() != king.rank()).all(|square| {
            let attacked = board.attackers(square, board.occupied()) & board.color(!side);
            board.color(side).has(square) && attacked.is_empty()
        });
    heavy && is_shut_in && king.relative_to(side).rank().index() == 0 && last.to().rank() == king.rank()
}

/// The moved piece attacks two pieces, each worth more than itself, undefended, or the king.
fn is_fork(position: &Position, mv: Move) -> bool {
    if mv.kind() == MoveKind::Castling {
        return false;
    }
    let after = position.after(mv);
    let board = after.board();
    let (us, them) = (position.turn(), after.turn());
    let Some(piece) = board.piece_on(mv.to()) else { return false };
    let value = |kind: PieceKind| if kind == PieceKind::King { 10_000 } else { SEE_VALUES[kind.index()] };
    // A forking piece that can simply be taken forks nothing.
    let safe =
        !after.noisy_moves().iter().any(|reply| reply.to() == mv.to() && after.see_at_least(*reply, 1));
    let targets = PieceKind::ALL
        .iter()
        .flat_map(|kind| board.pieces(them, *kind).into_iter().map(|square| (*kind, square)));
    let hit = targets.filter(|(kind, square)| {
        let attackers = board.attackers(*square, board.occupied()) & board.color(us);
        let defended = (board.attackers(*square, board.occupied()) & board.color(them)).any();
        attackers.has(mv.to())
            && *kind != PieceKind::Pawn
            && (value(*kind) > value(piece.kind()) || !defended)
    });
    safe && hit.count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::Centipawns;

    fn read(fen: &str, moves: &str) -> (Position, Vec<Move>) {
        let position = Position::from_fen(fen).unwrap();
        let mut at = position.clone();
        let line = moves
            .split_whitespace()
            .map(|text| {
                let mv = at.parse_uci(text).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        (position, line)
    }

    #[test]
    fn an_exchange_is_no_gift() {
        // White takes a queen and is taken back; then a queen takes a pawn that is defended.
        let told = |fen: &str, moves: &str| {
            let (before, line) = read(fen, moves);
            refutation_motifs(&before, line[0], &line[1..], ShownScore::centipawns(Centipawns::new(50)))
        };
        assert_eq!(told("4k3/5q2/8/8/8/8/5Q2/4K3 w - - 0 1", "f2f7 e8f7"), []);
        let given = told("4k3/5p2/8/8/8/8/5Q2/4K3 w - - 0 1", "f2f7 e8f7");
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        assert_eq!(given, ["hanging queen", "wins a queen for a pawn"]);
    }

    #[test]
    fn lines_tell_their_motifs() {
        for (fen, moves, score, expected) in [
            (
                "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
                "d1d8",
                ShownScore::mate_in(1),
                vec!["mate in 1", "back-rank mate"],
            ),
            (
                "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1",
                "e3d5",
                ShownScore::centipawns(Centipawns::new(600)),
                vec!["hanging queen", "wins a queen"],
            ),
            (
                "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
                "d5c7 e8d7 c7a8",
                ShownScore::centipawns(Centipawns::new(400)),
                vec!["fork", "wins a rook"],
            ),
            (
                "8/P6k/8/8/8/8/8/K7 w - - 0 1",
                "a7a8q",
                ShownScore::centipawns(Centipawns::new(900)),
                vec!["promotion", "wins 8 pawns of material"],
            ),
        ] {
            let (position, line) = read(fen, moves);
            let found: Vec<String> =
                motifs(&position, &line, score).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{fen}");
        }
    }

    #[test]
    fn checks_without_end_are_told_from_an_attack() {
        // From a report: the queen checks on e1 and g3 for ever.
        let (position, line) =
            read("7k/6r1/5Q2/p7/4qP2/7P/PR4P1/6K1 b - - 0 36", "e4e1 g1h2 e1g3 h2g1 g3e1 g1h2");
        assert_eq!(motifs(&position, &line, ShownScore::DRAW), [Motif::PerpetualCheck]);
        let even = ShownScore::centipawns(Centipawns::new(30));
        assert!(!motifs(&position, &line, even).contains(&Motif::PerpetualCheck));
    }

    #[test]
    fn a_defended_piece_is_not_hanging_and_an_exchange_wins_nothing() {
        let (position, line) = read("4k3/3p4/4n3/8/8/8/4R3/4K3 w - - 0 1", "e2e6 d7e6");
        assert_eq!(motifs(&position, &line, ShownScore::centipawns(Centipawns::new(-100))), vec![]);
        assert_eq!(motifs(&position, &[], ShownScore::DRAW), vec![]);
    }
}
