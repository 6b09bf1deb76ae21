//! The picker yields exactly the legal moves, once each, whatever it is told.
#![allow(clippy::unwrap_used)]

use chess::{Bitboard, Move, Position};
use common::Random;
use kernel::Release;
use search::{Arena, BENCH_POSITIONS, Histories, MovePicker, OrderingContext, PhaseProbe, PieceTo, Purpose};

fn picked(
    position: &Position,
    purpose: Purpose,
    table_move: Option<Move>,
    killer: Option<Move>,
) -> Vec<Move> {
    let histories = Histories::default();
    let mut arena = Arena::default();
    let mut picker = MovePicker::new(purpose, table_move, killer, position.in_check(), &arena);
    let view = OrderingContext {
        position,
        histories: &histories,
        context: &[PieceTo::NONE; 4],
        threats: Bitboard::EMPTY,
        policy: &Release,
        phase_probe: &PhaseProbe::default(),
    };
    std::iter::from_fn(|| picker.next(&mut arena, &view)).collect()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

#[test]
fn every_legal_move_once_in_random_games() {
    let mut random = Random::new(20);
    for fen in BENCH_POSITIONS {
        let mut position = Position::from_fen(fen).unwrap();
        let mut stranger = None;
        for _ in 0..60 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let table_move = match random.below(3) {
                0 => None,
                _ => Some(legal[random.below(legal.len())]),
            };
            // A killer may come from another position and be illegal here.
            let killer = match random.below(3) {
                0 => None,
                1 => stranger,
                _ => Some(legal[random.below(legal.len())]),
            };
            let all = picked(&position, Purpose::Node, table_move, killer);
            assert_eq!(sorted(all.iter().copied()), sorted(legal.iter().copied()), "{position:?}");
            assert!(table_move.is_none() || all.first().copied() == table_move);

            let noisy_table_move = table_move.filter(|&mv| position.in_check() || position.is_noisy(mv));
            let calm = picked(&position, Purpose::Quiescence, noisy_table_move, None);
            let expected: Vec<Move> =
                legal.iter().copied().filter(|&mv| position.in_check() || position.is_noisy(mv)).collect();
            assert_eq!(sorted(calm), sorted(expected), "{position:?}");

            let mv = legal[random.below(legal.len())];
            stranger = Some(mv);
            position.play(mv);
        }
    }
}

#[test]
fn probcut_sees_only_captures_that_win_enough() {
    for fen in BENCH_POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        if position.in_check() {
            continue;
        }
        for least in [-50, 0, 200] {
            for mv in picked(&position, Purpose::ProbCut(least), None, None) {
                assert!(position.is_noisy(mv) && position.see_at_least(mv, least), "{position:?} {mv:?}");
            }
        }
    }
}
