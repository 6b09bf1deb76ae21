//! Rules that recognise tactics in a line. Each looks at the moves of the line and at nothing else, and asks that the
//! line itself makes use of the tactic: what is attacked is taken, what is pinned cannot take.

use chess::geometry::between;
use chess::{Bitboard, Color, Move, PieceKind, Position, SEE_VALUES, Square, attacks};

/// Whether a line shows one motif.
pub type Rule = fn(&Track) -> bool;

/// A line with the position before each of its moves. The side to move first is the one the line is good for.
pub struct Track {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Track {
    /// As far as the moves are legal.
    pub fn new(start: &Position, line: &[Move]) -> Track {
        let mut positions = vec![start.clone()];
        let mut moves = Vec::new();
        let mut at = start.clone();
        for mv in line.iter().take_while(|mv| {
            let legal = at.is_legal(**mv);
            if legal {
                at.play(**mv);
                positions.push(at.clone());
            }
            legal
        }) {
            moves.push(*mv);
        }
        Track { positions, moves }
    }

    /// Own moves: ply, position before, move, position after.
    pub fn own(&self) -> impl Iterator<Item = (usize, &Position, Move, &Position)> {
        (0..self.moves.len())
            .step_by(2)
            .map(|ply| (ply, &self.positions[ply], self.moves[ply], &self.positions[ply + 1]))
    }

    /// Before each move and after the last.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn kind_at(&self, ply: usize, square: Square) -> Option<PieceKind> {
        self.positions[ply].piece_on(square).map(chess::Piece::kind)
    }
}

pub fn value(kind: PieceKind) -> i32 {
    if kind == PieceKind::King { 10_000 } else { SEE_VALUES[kind.index()] }
}

fn is_slider(kind: Option<PieceKind>) -> bool {
    matches!(kind, Some(PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen))
}

/// Whether nothing defends the piece there, not even through a slider that attacks it.
pub fn is_hanging(board: &chess::Board, square: Square) -> bool {
    let Some(color) = board.piece_on(square).map(chess::Piece::color) else { return false };
    let defenders = |occupied: Bitboard| board.attackers(square, occupied) & board.color(color) & occupied;
    let attackers = board.attackers(square, board.occupied()) & board.color(!color);
    let behind = |from: Square| {
        is_slider(board.piece_on(from).map(chess::Piece::kind))
            && defenders(board.occupied().without(from.bitboard())).any()
    };
    !defenders(board.occupied()).any() && !attackers.into_iter().any(behind)
}

/// Whether the piece there can be taken with profit: it is attacked, and nothing defends it or something cheaper attacks.
pub fn is_in_bad_spot(board: &chess::Board, square: Square) -> bool {
    let Some(piece) = board.piece_on(square) else { return false };
    let attackers = board.attackers(square, board.occupied()) & board.color(!piece.color());
    let is_cheaper =
        |from: Square| board.piece_on(from).is_some_and(|one| value(one.kind()) < value(piece.kind()));
    attackers.any() && (is_hanging(board, square) || attackers.into_iter().any(is_cheaper))
}

/// Skewer: a slider attacks a valuable piece, which moves off the line, and takes what stood behind it.
pub fn has_skewer(track: &Track) -> bool {
    track.own().skip(1).any(|(ply, before, mv, _)| {
        let reply = track.moves[ply - 1];
        let Some(taken) = before.captured(mv) else { return false };
        let moved = track.kind_at(ply - 1, reply.from());
        is_slider(track.kind_at(ply, mv.from()))
            && reply.to() != mv.to()
            && is_in_bad_spot(before.board(), mv.to())
            && between(mv.from(), mv.to()).has(reply.from())
            && moved.is_some_and(|moved| value(moved) > value(taken))
    })
}

/// Discovered attack: a piece moves off the line of another, which checks or takes along it.
pub fn has_discovered_attack(track: &Track) -> bool {
    let discovers_check = track.own().any(|(_, before, mv, after)| {
        let board = after.board();
        let checkers =
            board.attackers(board.king(after.turn()), board.occupied()) & board.color(before.turn());
        checkers.any() && !mv.is_castling() && !checkers.has(mv.to())
    });
    discovers_check
        || track.own().skip(1).any(|(ply, before, mv, _)| {
            let earlier = track.moves[ply - 2];
            before.captured(mv).is_some()
                && track.moves[ply - 1].to() != mv.to()
                && mv.from() != earlier.to()
                && is_slider(track.kind_at(ply, mv.from()))
                && between(mv.from(), mv.to()).has(earlier.from())
                && !earlier.is_castling()
        })
}

/// Pin: after an own move an enemy piece may not leave the line to its king, and so cannot take what it attacks or cannot
/// escape from what attacks it.
pub fn has_pin(track: &Track) -> bool {
    track.own().any(|(_, before, _, after)| {
        pins(after, after.turn()).any(|(square, line)| pin_matters(after, square, line, before.turn()))
    })
}

/// `line`: where the pinned piece may still go.
fn pin_matters(position: &Position, square: Square, line: Bitboard, us: Color) -> bool {
    let board = position.board();
    let Some(kind) = board.piece_on(square).map(chess::Piece::kind) else { return false };
    let attacked = match kind {
        PieceKind::Pawn => attacks::pawns(!us, square.bitboard()),
        _ => attacks::piece(kind, square, board.occupied()),
    };
    // An own piece that it could take with profit if it were free.
    let prevents_capture = (attacked & board.color(us)).without(line).into_iter().any(|target| {
        let worth = board.piece_on(target).map_or(0, |piece| value(piece.kind()));
        worth < value(PieceKind::King) && (worth > value(kind) || is_hanging(board, target))
    });
    // Something cheaper attacks it, or something that it cannot take while nothing defends it.
    let attackers = board.attackers(square, board.occupied()) & board.color(us);
    let is_cheaper =
        |from: Square| board.piece_on(from).is_some_and(|piece| value(piece.kind()) < value(kind));
    let is_lost = attackers.into_iter().any(is_cheaper)
        || is_hanging(board, square) && attackers.without(attacked).any();
    prevents_capture || is_lost && kind != PieceKind::Pawn
}

/// Pieces of a side that may not leave the line between their king and an enemy slider, with that line.
fn pins(position: &Position, side: Color) -> impl Iterator<Item = (Square, Bitboard)> {
    let board = position.board();
    let king = board.king(side);
    let diagonal = board.kind(PieceKind::Bishop) | board.kind(PieceKind::Queen);
    let straight = board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
    let none = Bitboard::EMPTY;
    let snipers =
        (attacks::bishop(king, none) & diagonal | attacks::rook(king, none) & straight) & board.color(!side);
    snipers.into_iter().filter_map(move |sniper| {
        let line = between(king, sniper) | sniper.bitboard();
        let blockers = between(king, sniper) & board.occupied();
        let pinned = blockers & board.color(side);
        (blockers.count() == 1).then(|| pinned.into_iter().next().map(|square| (square, line))).flatten()
    })
}

/// Trapped piece: an attacked enemy piece has no safe square, and is taken.
pub fn has_trapped_piece(track: &Track) -> bool {
    track.own().skip(1).any(|(ply, before, mv, _)| {
        let Some(taken) = before.captured(mv) else { return false };
        if matches!(taken, PieceKind::Pawn | PieceKind::King) {
            return false;
        }
        // Where the piece stood when the other side last had the choice.
        let reply = track.moves[ply - 1];
        let square = if reply.to() == mv.to() { reply.from() } else { mv.to() };
        let earlier = &track.positions[ply - 1];
        // A pawn that has just become a piece was not trapped.
        track.kind_at(ply - 1, square) == Some(taken)
            && !earlier.in_check()
            && is_trapped(earlier, square, taken)
    })
}

/// Whether the piece of the side to move can be taken with profit where it stands and wherever it goes.
fn is_trapped(position: &Position, square: Square, kind: PieceKind) -> bool {
    let mut moves = position.legal_moves().as_slice().to_vec();
    moves.retain(|mv| mv.from() == square);
    !pins(position, position.turn()).any(|(pinned, _)| pinned == square)
        && is_in_bad_spot(position.board(), square)
        && moves.iter().all(|mv| {
            let gained = position.captured(*mv).map_or(0, value);
            gained < value(kind) && is_in_bad_spot(position.after(*mv).board(), mv.to())
        })
}

/// Overloaded defender: a piece that recaptures leaves another piece, which it alone defended, to be taken.
pub fn has_overloaded_defender(track: &Track) -> bool {
    track.own().skip(1).any(|(ply, before, mv, _)| {
        let (first, reply) = (track.moves[ply - 2], track.moves[ply - 1]);
        let start = &track.positions[ply - 2];
        let board = start.board();
        let them = !before.turn();
        let defenders = board.attackers(mv.to(), board.occupied()) & board.color(them);
        reply.to() == first.to()
            && mv.to() != first.to()
            && before.captured(mv).is_some_and(|kind| kind != PieceKind::Pawn)
            && defenders.has(reply.from())
            && start.captured(first).is_some()
            && !(start.is_legal(mv) && start.see_at_least(mv, 100))
            && before.see_at_least(mv, 100)
    })
}

/// Passed pawn: an own pawn that no enemy pawn can stop advances to the sixth rank or further.
pub fn has_passed_pawn(track: &Track) -> bool {
    track.own().any(|(_, before, mv, after)| {
        let us = before.turn();
        let is_pawn = before.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
        let to = mv.to().relative_to(us);
        is_pawn && to.rank().index() >= 5 && is_passed(after, mv.to(), us)
    })
}

fn is_passed(position: &Position, square: Square, side: Color) -> bool {
    let board = position.board();
    let from = square.relative_to(side);
    let pawns = board.pieces(!side, PieceKind::Pawn);
    !pawns.into_iter().any(|pawn| {
        let pawn = pawn.relative_to(side);
        pawn.rank().index() > from.rank().index() && pawn.file().index().abs_diff(from.file().index()) <= 1
    })
}

/// Attack on the king: at least 2 checks, to a king that has left its shelter or lost it.
pub fn has_king_attack(track: &Track) -> bool {
    let checks = track.own().filter(|(_, _, _, after)| after.in_check()).count();
    checks >= 2 && track.positions.first().is_some_and(|start| is_exposed(start, !start.turn()))
}

/// Perpetual check: every own move of a line that is drawn gives check.
pub fn has_perpetual_check(track: &Track) -> bool {
    track.own().count() >= 2
        && track.own().all(|(_, before, mv, after)| after.in_check() && before.captured(mv).is_none())
}

fn is_exposed(position: &Position, side: Color) -> bool {
    let board = position.board();
    let king = board.king(side);
    let shelter = attacks::king(king) & board.pieces(side, PieceKind::Pawn);
    // In an ending the king belongs in the open.
    board.kind(PieceKind::Queen).any() && (shelter.count() < 2 || king.relative_to(side).rank().index() > 1)
}

/// Tempo: a quiet move attacks a piece worth more than itself, which must move, and the next move takes something else.
pub fn has_tempo(track: &Track) -> bool {
    let mut own = track.own();
    let (Some((_, before, first, after)), Some((_, then, next, _))) = (own.next(), own.next()) else {
        return false;
    };
    let reply = track.moves[1];
    let board = after.board();
    let Some(mover) = board.piece_on(first.to()) else { return false };
    let target = after.piece_on(reply.from()).map(chess::Piece::kind);
    let hits = (board.attackers(reply.from(), board.occupied()) & board.color(before.turn())).has(first.to());
    before.captured(first).is_none()
        && hits
        && target.is_some_and(|kind| kind != PieceKind::King && value(kind) > value(mover.kind()))
        && after.captured(reply).is_none()
        && then.captured(next).is_some()
        && next.to() != reply.to()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped puzzles, whose themes people and programs of Lichess have tagged: themes and line.
    fn puzzles() -> Vec<(Vec<&'static str>, Track)> {
        include_str!("../data/quiz.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                let start = Position::from_fen(&format!("{} 0 1", fields[1])).unwrap();
                let mut at = start.clone();
                let moves: Vec<Move> = fields[2]
                    .split(' ')
                    .map(|text| {
                        let mv = at.parse_uci(text).unwrap();
                        at.play(mv);
                        mv
                    })
                    .collect();
                (fields[3].split(' ').collect(), Track::new(&start, &moves))
            })
            .collect()
    }

    /// Shares of tagged puzzles that a rule finds, and of untagged ones that it finds wrongly.
    fn found(rule: fn(&Track) -> bool, theme: &str) -> (f64, f64) {
        let puzzles = puzzles();
        let share = |tagged: bool| {
            let of: Vec<_> = puzzles.iter().filter(|(themes, _)| themes.contains(&theme) == tagged).collect();
            of.iter().filter(|(_, track)| rule(track)).count() as f64 / of.len() as f64
        };
        (share(true), share(false))
    }

    #[test]
    fn rules_find_the_themes_of_tagged_puzzles() {
        let rules: [(Rule, &str, f64, f64); 5] = [
            (has_skewer, "skewer", 0.98, 0.001),
            (has_discovered_attack, "discoveredAttack", 0.98, 0.002),
            (has_pin, "pin", 0.96, 0.005),
            (has_trapped_piece, "trappedPiece", 0.98, 0.001),
            (has_passed_pawn, "advancedPawn", 0.9, 0.05),
        ];
        for (rule, theme, least, most_wrong) in rules {
            let (hit, wrong) = found(rule, theme);
            println!("{theme}: {hit:.3} of the tagged, {wrong:.3} of the others");
            assert!(hit >= least, "{theme}: only {hit:.3} of the tagged puzzles are found");
            assert!(wrong <= most_wrong, "{theme}: {wrong:.3} of the other puzzles are found too");
        }
    }

    fn track(fen: &str, moves: &str) -> Track {
        let start = Position::from_fen(fen).unwrap();
        let mut at = start.clone();
        let line: Vec<Move> = moves
            .split(' ')
            .map(|text| {
                let mv = at.parse_uci(text).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        Track::new(&start, &line)
    }

    #[test]
    fn an_overloaded_defender_leaves_one_of_two_pieces() {
        // The queen on d8 defends the rook on d5 and the bishop.
        let line = track("3q2k1/5ppp/8/3r2b1/8/8/5PPP/3RQ1K1 w - - 0 1", "d1d5 d8d5 e1e8");
        assert!(!has_overloaded_defender(&line), "nothing is taken afterwards");
        let line = track("3q2k1/5ppp/8/3r4/4R2b/4N3/5PPP/6K1 w - - 0 1", "e3d5 d8d5 e4h4");
        assert!(has_overloaded_defender(&line));
    }

    #[test]
    fn a_tempo_is_gained_by_attacking_the_queen() {
        let line = track("r3k2r/ppp2ppp/8/3q4/8/4PN2/PPP2nPP/R1B1KB1R w KQkq - 0 1", "f1c4 d5c4 e1f2");
        assert!(!has_tempo(&line), "the queen takes");
        let line = track("4k3/pp4pp/8/3q4/8/4n3/PPP2PPP/R1B1KB1R w KQ - 0 1", "f1d3 d5d6 c1e3");
        assert!(!has_tempo(&line), "the bishop attacks nothing");
        let line = track("4k3/pp4pp/8/3q4/8/4n3/PP3PPP/RNB1K2R w KQ - 0 1", "b1c3 d5d6 c1e3");
        assert!(has_tempo(&line));
    }

    #[test]
    fn illegal_moves_end_a_track() {
        let start = Position::default();
        let mv = start.parse_uci("e2e4").unwrap();
        assert_eq!(Track::new(&start, &[mv, mv]).moves.len(), 1);
    }
}
