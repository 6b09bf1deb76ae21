//! The exponential and the softmax, written so that a compiler can turn them into vectors and every CPU gives the same bits.

/// e^x for x <= 0, to about one part in ten million; zero below -87.
///
/// Splits x into a whole number of doublings, put straight into the exponent bits, and a remainder of at most half a
/// doubling for a short Taylor series.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    let doublings = (x.max(-87.0) * std::f32::consts::LOG2_E).round_ties_even();
    // ln 2 in two pieces, so that the remainder keeps its last digits.
    let rest = (x.max(-87.0) - doublings * 0.693_359_4) + doublings * 2.121_944_4e-4;
    let series = 1.0 / 720.0;
    let series = series * rest + 1.0 / 120.0;
    let series = series * rest + 1.0 / 24.0;
    let series = series * rest + 1.0 / 6.0;
    let series = series * rest + 0.5;
    let series = series * rest + 1.0;
    let series = series * rest + 1.0;
    let scale = f32::from_bits(((doublings as i32 + 127) << 23) as u32);
    series * scale
}

/// Turns scores into probabilities, in place. Nothing happens to an empty slice.
pub fn softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in scores.iter_mut() {
        *score = exponential(*score - highest);
    }
    // Eight running sums: the order of additions is fixed here, not by the width of somebody's registers.
    let mut sums = [0.0f32; 8];
    let (eights, rest) = scores.as_chunks::<8>();
    for eight in eights {
        for (sum, score) in sums.iter_mut().zip(eight) {
            *sum += score;
        }
    }
    let total = sums.iter().sum::<f32>() + rest.iter().sum::<f32>();
    let share = 1.0 / total;
    for score in scores {
        *score *= share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        for step in 0..8700 {
            let x = -(step as f32) / 100.0;
            let (mine, theirs) = (exponential(x), x.exp());
            assert!((mine - theirs).abs() <= 4e-7 * theirs, "e^{x}: {mine}, library {theirs}");
        }
        assert!(exponential(-1000.0) < 1e-37);
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_ratios() {
        let mut scores = [1.0, 2.0, 3.0, -50.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        softmax(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((scores[1] / scores[0] - std::f32::consts::E).abs() < 1e-5);
        assert_eq!(scores[2], scores[4]);
        softmax(&mut []);
    }
}
