//! Many sets of weights give the same evaluation: what every knight gets from a table can as well be part of a
//! knight's worth. This picks the set a person can read: tables average 0, and piece values hold the rest.

use crate::dataset::Dataset;
use crate::model::Pairs;
use chess::PieceKind;
use eval::hce::conclude::SCALE_ONE;
use eval::hce::features as f;
use eval::hce::{Feature, Term};

/// Every piece of the kind uses exactly one weight of each of these tables.
const PIECE_TABLES: &[(PieceKind, &[Feature])] = &[
    (PieceKind::Pawn, &[f::PAWN_SQUARE]),
    (PieceKind::Knight, &[f::KNIGHT_SQUARE, f::KNIGHT_MOBILITY, f::KNIGHT_PAWNS, f::KNIGHT_KING_DISTANCE]),
    (
        PieceKind::Bishop,
        &[f::BISHOP_SQUARE, f::BISHOP_MOBILITY, f::BISHOP_KING_DISTANCE, f::BISHOP_OWN_PAWNS],
    ),
    (PieceKind::Rook, &[f::ROOK_SQUARE, f::ROOK_MOBILITY, f::ROOK_PAWNS]),
    (PieceKind::Queen, &[f::QUEEN_SQUARE, f::QUEEN_MOBILITY]),
];

/// Every side uses the same number of weights of each of these, so a constant cancels.
const SIDE_TABLES: &[Feature] = &[f::KING_SQUARE, f::KING_FILE, f::KING_PAWN_DISTANCE, f::SHELTER, f::STORM];

/// Every king uses three weights of each of these; their mean belongs to the base.
const DANGER_TABLES: &[Feature] = &[f::DANGER_SHIELD, f::DANGER_STORM];

/// Shifts means, weighted by use, out of the tables; the evaluation stays what it was. Weights no position uses
/// say nothing and become zero.
pub fn centre_tables(weights: &mut Pairs, data: &Dataset) {
    let used = usage(data);
    for (kind, tables) in PIECE_TABLES {
        for &table in *tables {
            let mean = centre(weights, &used, table);
            add(&mut weights[f::MATERIAL.offset + kind.index()], mean, 1.0);
        }
    }
    for &table in SIDE_TABLES {
        centre(weights, &used, table);
    }
    for &table in DANGER_TABLES {
        let mean = centre(weights, &used, table);
        add(&mut weights[f::DANGER_BASE.offset], mean, 3.0);
    }
    for (place, _) in used.iter().enumerate().filter(|(_, used)| **used == 0.0) {
        let scale = (f::SCALE.offset..f::SCALE_PAWNLESS.offset + f::SCALE_PAWNLESS.len).contains(&place);
        weights[place] = if scale { [0.0, SCALE_ONE as f32] } else { [0.0; 2] };
    }
}

/// Multiplies every score by about `ratio`. Danger enters squared in the middlegame, so it takes the root.
pub fn rescale(weights: &mut Pairs, ratio: f32) {
    for feature in f::ALL {
        let [middlegame, endgame] = match feature.term {
            Term::KingDanger => [ratio.sqrt(), ratio],
            Term::Winnable | Term::Scale => [1.0; 2],
            _ => [ratio; 2],
        };
        for pair in &mut weights[feature.offset..feature.offset + feature.len] {
            pair[0] *= middlegame;
            pair[1] *= endgame;
        }
    }
}

fn add(pair: &mut [f32; 2], other: [f32; 2], times: f32) {
    pair[0] += other[0] * times;
    pair[1] += other[1] * times;
}

/// How often each weight is used, as far as both sides do not cancel.
fn usage(data: &Dataset) -> Vec<f32> {
    let mut used = vec![0.0; f::COUNT];
    for row in &data.rows {
        let uses = data.uses(row);
        for one in uses.linear.iter().chain(uses.danger[0]).chain(uses.danger[1]).chain(uses.winnable) {
            used[usize::from(one.place)] += f32::from(one.times.abs());
        }
        for place in row.scale {
            used[usize::from(place)] += 1.0;
        }
    }
    used
}

/// Takes the mean out of a table and answers it.
fn centre(weights: &mut Pairs, used: &[f32], table: Feature) -> [f32; 2] {
    let places = table.offset..table.offset + table.len;
    let total: f32 = used[places.clone()].iter().sum();
    if total == 0.0 {
        return [0.0; 2];
    }
    let mut mean = [0.0; 2];
    for place in places.clone() {
        add(&mut mean, weights[place], used[place] / total);
    }
    for place in places {
        add(&mut weights[place], mean, -1.0);
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model;
    use chess::Position;
    use common::Random;
    use eval::hce::Coefficients;

    fn made_up_positions() -> (Pairs, Dataset) {
        let mut random = Random::new(5);
        let mut data = Dataset::default();
        for _ in 0..20 {
            let mut position = Position::default();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                if let Some(coefficients) = Coefficients::new(&position) {
                    data.push(&coefficients, 0.5, 0);
                }
            }
        }
        let mut weights = model::zeros();
        for half in weights.iter_mut().flatten() {
            *half = random.below(200) as f32 - 50.0;
        }
        for pair in &mut weights[f::SCALE.offset..] {
            pair[1] = 160.0 + random.below(400) as f32;
        }
        (weights, data)
    }

    #[test]
    fn the_evaluation_stays_what_it_was() {
        let (mut weights, data) = made_up_positions();
        let before: Vec<f32> = data.rows.iter().map(|row| model::score(&weights, &data, row)).collect();
        centre_tables(&mut weights, &data);
        for (row, before) in data.rows.iter().zip(before) {
            let after = model::score(&weights, &data, row);
            assert!((after - before).abs() < 0.01 * before.abs().max(100.0), "{before} became {after}");
        }
    }

    #[test]
    fn scores_grow_together() {
        let (mut weights, data) = made_up_positions();
        let before: Vec<f32> = data.rows.iter().map(|row| model::score(&weights, &data, row)).collect();
        rescale(&mut weights, 1.25);
        for (row, before) in data.rows.iter().zip(before) {
            let after = model::score(&weights, &data, row);
            assert!(
                (after - 1.25 * before).abs() < 0.01 * before.abs().max(100.0),
                "{before} became {after}"
            );
        }
    }
}
