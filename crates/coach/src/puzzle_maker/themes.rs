//! Themes of a puzzle by rules, under the names that Lichess gives them.

use crate::motif::{Motif, motifs};
use crate::puzzle_maker::rules;
use crate::tactics::{Rule, Track};
use chess::{Move, PieceKind, Position};
use human_model::expected::Expected;
use human_model::shown_score::ShownScore;

/// Beyond this the advantage is decisive.
const CRUSHING: f64 = 0.90;
/// Pieces besides kings and pawns in an endgame, at most; and moves of the opening.
const ENDGAME_PIECES: u32 = 6;
const OPENING_MOVES: u16 = 10;

/// The names of the themes, separated by blanks. `score` is the solver's in the first position; `before` are the position
/// before it and the move that led to it, where they are known.
pub fn themes(
    before: Option<(&Position, Move)>,
    position: &Position,
    solution: &[Move],
    score: ShownScore,
) -> String {
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
            Motif::Skewer if !mates => add("skewer"),
            Motif::Pin => add("pin"),
            Motif::DiscoveredAttack => add("discoveredAttack"),
            Motif::TrappedPiece => add("trappedPiece"),
            _ => {}
        }
    }
    let track = Track::new(position, solution);
    if rules::takes_hanging_piece(&track, before) {
        add("hangingPiece");
    }
    let whole: [(&str, Rule); 3] =
        [("fork", rules::has_fork), ("sacrifice", rules::is_sacrifice), ("quietMove", rules::has_quiet_move)];
    for (name, _) in whole.into_iter().filter(|(_, holds)| holds(&track)) {
        add(name);
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
    phase(&positions, &mut add);
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

/// A knight mates a king that its own pieces leave no square.
fn is_smothered(position: &Position) -> bool {
    let board = position.board();
    let king = board.king(position.turn());
    let by_knight = position.checkers() == position.checkers() & board.kind(PieceKind::Knight);
    let around = chess::attacks::king(king);
    by_knight && around.without(board.color(position.turn())).is_empty()
}

/// Opening, middlegame or endgame; and which endgame, if it is the same after the first move.
fn phase(positions: &[Position], add: &mut dyn FnMut(&str)) {
    let first = &positions[0];
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let pieces: u32 = kinds.iter().map(|kind| first.board().kind(*kind).count()).sum();
    if pieces > ENDGAME_PIECES {
        let early = first.fullmove_number() <= OPENING_MOVES && first.fullmove_number() > 1;
        add(if early { "opening" } else { "middlegame" });
        return;
    }
    add("endgame");
    let after = positions.get(1).unwrap_or(first);
    if let Some(name) = endgame(first).filter(|name| endgame(after) == Some(name)) {
        add(name);
    }
}

fn endgame(position: &Position) -> Option<&'static str> {
    let board = position.board();
    let [knights, bishops, rooks, queens] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
            .map(|kind| board.kind(kind).count());
    let pieces = knights + bishops + rooks + queens;
    let only = |kind: u32| kind == pieces;
    match () {
        () if pieces == 0 => Some("pawnEndgame"),
        () if only(knights) => Some("knightEndgame"),
        () if only(bishops) => Some("bishopEndgame"),
        () if only(rooks) => Some("rookEndgame"),
        () if only(queens) => Some("queenEndgame"),
        () if queens == 1 && queens + rooks == pieces => Some("queenRookEndgame"),
        () => None,
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
        themes(None, &position, &moves, ShownScore::centipawns(Centipawns::new(700)))
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

    /// Lichess's own themes of the shipped puzzles are the reference: of the puzzles that a rule names, the share that
    /// Lichess names so too, and the share of Lichess's that the rule finds.
    #[test]
    fn rules_agree_with_the_themes_of_lichess() {
        let prior = Posterior::broad(Scale::Lichess);
        // Other puzzles in the same format, to measure the rules on what they were not tuned on.
        let quiz = match std::env::var("TABIYA_PUZZLES") {
            Ok(path) => Quiz::from_text(&std::fs::read_to_string(path).unwrap(), prior, Random::new(1)),
            Err(_) => Quiz::shipped(prior, Random::new(1)),
        };
        let quiz = quiz.unwrap();
        let puzzles = quiz.into_puzzles();
        let score = ShownScore::centipawns(Centipawns::new(700));
        let told: Vec<String> =
            puzzles.iter().map(|puzzle| themes(None, &puzzle.position, &puzzle.solution, score)).collect();
        let has = |list: &str, theme: &str| list.split_whitespace().any(|word| word == theme);
        let mut short = Vec::new();
        for (theme, least_right, least_found) in LEAST {
            let named: Vec<bool> = told.iter().map(|list| has(list, theme)).collect();
            let tagged: Vec<bool> = puzzles.iter().map(|puzzle| has(&puzzle.themes, theme)).collect();
            let both = named.iter().zip(&tagged).filter(|(named, tagged)| **named && **tagged).count();
            let count = |list: &[bool]| list.iter().filter(|one| **one).count();
            let (named, tagged) = (count(&named), count(&tagged));
            let share = |of: usize| both as f64 / of.max(1) as f64;
            let line = format!(
                "{theme}: {both} of {named} named ({:.2}), of {tagged} tagged ({:.2})",
                share(named),
                share(tagged)
            );
            println!("{line}");
            if share(named) < least_right || share(tagged) < least_found {
                short.push(line);
            }
        }
        assert!(short.is_empty(), "{short:#?}");
    }

    #[test]
    fn a_piece_taken_back_is_not_hanging() {
        let told = |fen: &str, moves: [&str; 2], known: bool| {
            let before = Position::from_fen(fen).unwrap();
            let mv = before.parse_uci(moves[0]).unwrap();
            let position = before.after(mv);
            let solution = [position.parse_uci(moves[1]).unwrap()];
            let score = ShownScore::centipawns(Centipawns::new(700));
            let known = known.then_some((&before, mv));
            themes(known, &position, &solution, score).contains("hangingPiece")
        };
        // The rook takes a queen and is taken back; it takes a pawn and is lost for it; it goes where nothing guards it.
        let queen = "3rk3/ppp2pp1/8/3Q4/2B5/8/8/4K3 b - - 0 1";
        assert_eq!([true, false].map(|known| told(queen, ["d8d5", "c4d5"], known)), [false, false]);
        let pawn = "3rk3/8/8/3P4/2B5/8/PPP5/4K3 b - - 0 1";
        assert_eq!([true, false].map(|known| told(pawn, ["d8d5", "c4d5"], known)), [true, true]);
        let quiet = "3rk3/8/8/8/2B5/8/8/4K3 b - - 0 1";
        assert_eq!([true, false].map(|known| told(quiet, ["d8d5", "c4d5"], known)), [true, true]);
    }

    /// Theme, least share right, least share found. The quiz has no move before the first position and no move numbers: a
    /// piece that is only taken back can look hanging and the reverse, and an opening looks like a middlegame.
    const LEAST: [(&str, f64, f64); 28] = [
        ("mate", 0.97, 0.99),
        ("mateIn1", 0.96, 0.99),
        ("mateIn2", 0.97, 0.99),
        ("backRankMate", 0.97, 0.99),
        ("smotheredMate", 0.99, 0.99),
        ("hangingPiece", 0.70, 0.70),
        ("fork", 0.98, 0.98),
        ("skewer", 0.98, 0.98),
        ("pin", 0.94, 0.96),
        ("discoveredAttack", 0.96, 0.98),
        ("trappedPiece", 0.97, 0.98),
        ("doubleCheck", 0.99, 0.99),
        ("enPassant", 0.99, 0.99),
        ("promotion", 0.99, 0.99),
        ("underPromotion", 0.99, 0.99),
        ("sacrifice", 0.97, 0.97),
        ("quietMove", 0.95, 0.98),
        ("middlegame", 0.9, 0.99),
        ("endgame", 0.99, 0.99),
        ("pawnEndgame", 0.97, 0.99),
        ("rookEndgame", 0.97, 0.99),
        ("bishopEndgame", 0.97, 0.99),
        ("knightEndgame", 0.97, 0.99),
        ("queenEndgame", 0.97, 0.99),
        ("queenRookEndgame", 0.96, 0.99),
        ("oneMove", 0.96, 0.99),
        ("short", 0.97, 0.99),
        ("long", 0.98, 0.99),
    ];
}
