//! Accuracy as Lichess counts it, so that its numbers can be compared.

use human_model::expected::Expected;

/// How good a move was, from 0 to 100, by what it did to the mover's expected points.
pub fn move_accuracy(before: Expected, after: Expected) -> f64 {
    let lost = 100.0 * before.loss_to(after);
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * lost).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// One player's accuracy over a game: the mean of a weighted and a harmonic mean.
///
/// `course` is White's expected points before the first move and after every move; `first_is_white` says who began. The
/// weight of a move is how restless the game was around it. `None` when the player made no move.
pub fn game_accuracy(course: &[Expected], first_is_white: bool, white: bool) -> Option<f64> {
    let moves = course.len().checked_sub(1).filter(|moves| *moves > 0)?;
    let size = (moves / 10).clamp(2, 8).min(course.len());
    let percents: Vec<f64> = course.iter().map(|expected| expected.percent()).collect();
    // The first windows are cut short so that every move has one.
    let first = percents.get(..size)?;
    let windows = std::iter::repeat_n(first, size.saturating_sub(2).min(moves)).chain(percents.windows(size));
    let (mut weighted, mut weights, mut harmonic, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (ply, (pair, window)) in course.windows(2).zip(windows).enumerate() {
        let mover_is_white = ply.is_multiple_of(2) == first_is_white;
        if mover_is_white != white {
            continue;
        }
        let side = |expected: Expected| if white { expected } else { expected.other() };
        let accuracy = move_accuracy(side(pair[0]), side(pair[1]));
        let weight = deviation(window).clamp(0.5, 12.0);
        weighted += weight * accuracy;
        weights += weight;
        // Lichess counts no move below one: a single thrown game would leave nothing of a harmonic mean.
        harmonic += 1.0 / accuracy.max(1.0);
        count += 1.0;
    }
    (count > 0.0).then(|| f64::midpoint(weighted / weights, count / harmonic))
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_curve() {
        let accuracy = |lost: f64| move_accuracy(Expected::new(0.8), Expected::new(0.8 - lost / 100.0));
        for (lost, expected) in [(0.0, 100.0), (5.0, 80.82), (10.0, 64.58), (20.0, 41.02), (50.0, 9.53)] {
            let found = accuracy(lost);
            assert!((found - expected).abs() < 0.01, "{lost}: {found}");
        }
        assert_eq!(move_accuracy(Expected::EVEN, Expected::WON), 100.0, "a gift is no fault");
        assert_eq!(move_accuracy(Expected::WON, Expected::LOST), 0.0);
    }

    #[test]
    fn one_thrown_win_does_not_erase_a_game() {
        // Forty perfect moves each and one that throws everything away.
        let mut course = vec![Expected::WON; 81];
        course.extend([Expected::LOST; 2]);
        let accuracy = game_accuracy(&course, true, true).unwrap();
        assert!((40.0..75.0).contains(&accuracy), "{accuracy}");
    }

    #[test]
    fn a_quiet_game_is_perfect_and_a_thrown_one_is_not() {
        let even = [Expected::EVEN; 41];
        for white in [true, false] {
            assert!((game_accuracy(&even, true, white).unwrap() - 100.0).abs() < 1e-9);
        }
        let mut thrown = even.to_vec();
        for expected in &mut thrown[21..] {
            *expected = Expected::new(0.05);
        }
        // White made the move that ends at index 21.
        let (white, black) =
            (game_accuracy(&thrown, true, true).unwrap(), game_accuracy(&thrown, true, false).unwrap());
        assert!(white < 90.0 && black > 99.0, "{white} {black}");
        assert_eq!(game_accuracy(&[Expected::EVEN], true, true), None);
        assert_eq!(game_accuracy(&[], true, true), None);
        assert!(game_accuracy(&even[..2], true, true).is_some());
    }
}
