//! Themes of a puzzle by rules, under the names that Lichess gives them.

use crate::motif::{Motif, motifs};
use chess::{Color, Move, PieceKind, Position, SEE_VALUES};
use human_model::expected::Expected;
use human_model::shown_score::ShownScore;

/// Beyond this the advantage is decisive.
const CRUSHING: f64 = 0.90;
/// Centipawns given up for at least a move.
const SACRIFICE: i32 = 200;
/// Pieces besides kings and pawns in an endgame, at most; and moves of the opening.
const ENDGAME_PIECES: u32 = 6;
const OPENING_MOVES: u16 = 10;

/// The names of the themes, separated by blanks. `score` is the solver's in the first position.
pub fn themes(position: &Position, solution: &[Move], score: ShownScore) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| names.push(name.to_string());
    let positions = positions(position, solution);
    let mates = positions.last().is_some_and(Position::is_checkmate);
    let own =
        || (0..solution.len()).step_by(2).map(|ply| (&positions[ply], solution[ply], &positions[ply + 1]));
    if mates {
        add("mate");
        add(&format!("mateIn{}", solution.len().div_ceil(2)));
    } else {
        let decisive = score.is_win() || Expected::of(score).points() >= CRUSHING;
        add(if decisive { "crushing" } else { "advantage" });
    }
    let told = motifs(position, solution, if mates { ShownScore::mate_in(solution.len()) } else { score });
    for motif in told {
        match motif {
            Motif::BackRank if mates => add("backRankMate"),
            Motif::Takes(kind) if kind != PieceKind::Pawn && solution.len() == 1 && !mates => {
                add("hangingPiece");
            }
            Motif::Fork if !mates => add("fork"),
            Motif::Skewer => add("skewer"),
            Motif::Pin if !mates => add("pin"),
            Motif::DiscoveredAttack => add("discoveredAttack"),
            Motif::TrappedPiece => add("trappedPiece"),
            _ => {}
        }
    }
    if mates && is_smothered(&positions[positions.len() - 1]) {
        add("smotheredMate");
    }
    if own().any(|(_, _, after)| after.checkers().more_than_one()) {
        add("doubleCheck");
    }
    if own().any(|(_, mv, _)| mv.is_en_passant()) {
        add("enPassant");
    }
    if own().any(|(_, mv, _)| mv.is_promotion()) {
        add("promotion");
    }
    if own().any(|(_, mv, _)| mv.promotes_to().is_some_and(|kind| kind != PieceKind::Queen)) {
        add("underPromotion");
    }
    if gives_up_material(&positions, position.turn()) {
        add("sacrifice");
    }
    if own().any(|(before, mv, after)| {
        !before.is_noisy(mv) && !after.in_check() && !mv.is_castling() && !before.in_check()
    }) {
        add("quietMove");
    }
    phase(position, &mut add);
    add(match solution.len().div_ceil(2) {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    });
    names.join(" ")
}

/// The position before each move and after the last.
fn positions(start: &Position, line: &[Move]) -> Vec<Position> {
    let mut positions = vec![start.clone()];
    for mv in line {
        positions.push(positions[positions.len() - 1].after(*mv));
    }
    positions
}

fn material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL
        .iter()
        .filter(|kind| **kind != PieceKind::King)
        .map(|kind| position.board().pieces(color, *kind).count() as i32 * SEE_VALUES[kind.index()])
        .sum()
}

/// Whether the solver is behind the first balance after a reply that is not the end of an exchange it began by taking.
fn gives_up_material(positions: &[Position], solver: Color) -> bool {
    let balance = |position: &Position| material(position, solver) - material(position, !solver);
    let first = balance(&positions[0]);
    positions.iter().skip(2).step_by(2).any(|position| first - balance(position) >= SACRIFICE)
}

/// A knight mates a king that its own pieces leave no square.
fn is_smothered(position: &Position) -> bool {
    let board = position.board();
    let king = board.king(position.turn());
    let by_knight = position.checkers() == position.checkers() & board.kind(PieceKind::Knight);
    let around = chess::attacks::king(king);
    by_knight && around.without(board.color(position.turn())).is_empty()
}

fn phase(position: &Position, add: &mut dyn FnMut(&str)) {
    let board = position.board();
    let count = |kind: PieceKind| board.kind(kind).count();
    let [knights, bishops, rooks, queens] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].map(count);
    let pieces = knights + bishops + rooks + queens;
    if pieces > ENDGAME_PIECES {
        let early = position.fullmove_number() <= OPENING_MOVES && position.fullmove_number() > 1;
        add(if early { "opening" } else { "middlegame" });
        return;
    }
    add("endgame");
    let only = |kind: u32| kind == pieces;
    match () {
        () if pieces == 0 => add("pawnEndgame"),
        () if only(knights) => add("knightEndgame"),
        () if only(bishops) => add("bishopEndgame"),
        () if only(rooks) => add("rookEndgame"),
        () if only(queens) => add("queenEndgame"),
        () if queens > 0 && queens + rooks == pieces => add("queenRookEndgame"),
        () => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::Quiz;
    use common::Random;
    use eval::Centipawns;
    use human_model::rating::Posterior;
    use human_model::reply::Scale;

    fn of(fen: &str, line: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let mut at = position.clone();
        let moves: Vec<Move> = line
            .split_whitespace()
            .map(|text| {
                let mv = at.parse_uci(text).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        themes(&position, &moves, ShownScore::centipawns(Centipawns::new(700)))
    }

    #[test]
    fn themes_tell_what_happens() {
        assert_eq!(
            of("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),
            "mate mateIn1 backRankMate endgame rookEndgame oneMove"
        );
        assert_eq!(
            of("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8"),
            "crushing fork endgame short".to_string()
        );
        assert!(of("6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", "h6f7").contains("smotheredMate"));
        assert!(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n").contains("promotion underPromotion"));
        assert!(
            of("r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 0 1", "c3h8 g8h8 e7f6 h8g8 e1e8")
                .contains("sacrifice")
        );
    }

    /// Lichess's own themes of the shipped puzzles are the reference, where a rule can be checked without a search.
    #[test]
    fn rules_agree_with_the_themes_of_lichess() {
        let quiz = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(1)).unwrap();
        let puzzles = quiz.into_puzzles();
        let score = ShownScore::centipawns(Centipawns::new(700));
        let precision = |theme: &str| {
            let has = |list: &str| list.split_whitespace().any(|word| word == theme);
            let named =
                puzzles.iter().filter(|puzzle| has(&themes(&puzzle.position, &puzzle.solution, score)));
            let (mut right, mut all) = (0, 0);
            for puzzle in named {
                all += 1;
                right += u32::from(has(&puzzle.themes));
            }
            println!("{theme}: {right} of {all}");
            f64::from(right) / f64::from(all.max(1))
        };
        let mut short = Vec::new();
        for (theme, least) in [
            ("mate", 0.97),
            ("mateIn1", 0.96),
            ("mateIn2", 0.93),
            ("oneMove", 0.96),
            ("short", 0.97),
            ("long", 0.97),
            ("pawnEndgame", 0.8),
            ("rookEndgame", 0.8),
            ("doubleCheck", 0.8),
        ] {
            let found = precision(theme);
            if found < least {
                short.push(format!("{theme}: {found:.2}"));
            }
        }
        assert!(short.is_empty(), "{short:?}");
    }
}
