//! The fast evaluation against the plain one, and the symmetry of both.

#![allow(clippy::unwrap_used)]

use laser::{Colour, Game, Position};
use laser_search::eval::{Evaluator, Terms, Weights, coverage, fast_coverage, geometry, reference};
use proptest::prelude::*;

fn game() -> impl Strategy<Value = Game> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..200).prop_map(|choices| {
        let mut game = Game::default();
        for choice in choices {
            let position = *game.position();
            // Moves that keep both kings, so that games are long and boards get thin.
            let moves: Vec<_> = position
                .legal_moves()
                .into_iter()
                .filter(|&mv| position.after(mv).winner().is_none())
                .collect();
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves)).unwrap();
        }
        game
    })
}

/// Kings and pawns thrown on the board, so that beams bounce off everything.
fn strewn() -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec((0..64_usize, 0..4_usize), 2..16);
    pieces.prop_filter_map("kings on squares of their own", |pieces| {
        let mut board: [Option<String>; 64] = [const { None }; 64];
        for (place, &(square, orientation)) in pieces.iter().enumerate() {
            let names = if place < 2 { ["NN", "EE", "SS", "WW"] } else { ["NW", "NE", "SE", "SW"] };
            let name = names[orientation];
            board[square]
                .get_or_insert_with(|| if place % 2 == 0 { name.to_owned() } else { name.to_lowercase() });
        }
        let rank = |rank: usize| -> String {
            (0..8).map(|file| board[rank * 8 + file].clone().unwrap_or("1".into())).collect()
        };
        format!("{} W", (0..8).rev().map(rank).collect::<Vec<_>>().join("/")).parse().ok()
    })
}

fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![game().prop_map(|game| *game.position()), strewn()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn swept_coverage_equals_the_plain_one(position in any_position()) {
        for colour in Colour::ALL {
            let plain = coverage::plain_lengths(&position, colour);
            prop_assert_eq!(fast_coverage::lengths(&position, colour), plain, "{} of {}", colour, position);
        }
    }

    #[test]
    fn fast_terms_equal_the_references_but_for_rounding(position in any_position()) {
        for weights in [Weights::REFERENCE, Weights::WITH_MOBILITY, Weights::FITTED] {
            let evaluator = Evaluator::new(weights);
            for colour in Colour::ALL {
                let plain = Terms::reference(&position, colour, &weights).unwrap();
                let fast = evaluator.terms(&position, colour).unwrap();
                prop_assert!((fast.coverage - plain.coverage).abs() <= 1, "{fast:?} {plain:?}");
                prop_assert_eq!(Terms { coverage: plain.coverage, ..fast }, plain);
            }
        }
    }

    #[test]
    fn turning_the_table_keeps_the_score(position in any_position()) {
        let turned = position.rotated();
        for weights in [Weights::REFERENCE, Weights::WITH_MOBILITY] {
            let (here, there) = (reference(&position, &weights), reference(&turned, &weights));
            // Kings on one file or rank are told apart by the order of the cases of the aggression term, which the
            // reference does not turn with the board.
            let (white, black) = (position.king(Colour::White).unwrap(), position.king(Colour::Black).unwrap());
            if white.file() != black.file() && white.rank() != black.rank() {
                prop_assert!((here.unwrap() - there.unwrap()).abs() <= 1, "{here:?} {there:?}");
            }
        }
    }
}

#[test]
fn tables_hold_what_the_formulas_say() {
    let tables = geometry::Tables::new(500, 5000);
    for one in laser::Square::all() {
        assert_eq!(tables.central[one.index()], geometry::central(one, 500));
        for other in laser::Square::all() {
            let (files, ranks) = (one.file() - other.file(), one.rank() - other.rank());
            assert_eq!(tables.mult_dist[one.index()][other.index()], geometry::mult_dist(files, ranks));
            assert_eq!(tables.manhattan[one.index()][other.index()], one.manhattan(other) as f32);
        }
    }
}
