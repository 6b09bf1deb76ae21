//! The arithmetic of history tables: plain functions, so that every game shares the formula.

/// Moves `entry` towards `bonus` with gravity: the closer it is to `limit`, the less a bonus of the
/// same sign moves it, so the table never saturates and old experience fades.
///
/// Needs `|bonus| <= limit`; then `|entry| <= limit` is kept for ever.
#[inline]
pub fn with_gravity(entry: i16, bonus: i32, limit: i32) -> i16 {
    let entry = i32::from(entry);
    (entry + bonus - entry * bonus.abs() / limit) as i16
}

/// The exponential moving average used by correction histories: `weight` of `scale` goes to the
/// new sample, and the result stays within `limit`.
#[inline]
pub fn blended(entry: i16, sample: i32, weight: i32, scale: i32, limit: i32) -> i16 {
    let blend = (i32::from(entry) * (scale - weight) + sample * weight) / scale;
    blend.clamp(-limit, limit) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_the_limit_and_the_direction() {
        const LIMIT: i32 = 8192;
        for start in [-8192_i16, -5000, -1, 0, 77, 8000, 8192] {
            for bonus in [-8192, -2000, -1, 0, 1, 300, 8192] {
                let next = i32::from(with_gravity(start, bonus, LIMIT));
                assert!(next.abs() <= LIMIT, "{start} + {bonus} = {next}");
                if bonus > 0 {
                    assert!(next >= i32::from(start).min(LIMIT));
                }
            }
        }
        let mut entry = 0;
        for _ in 0..100 {
            entry = with_gravity(entry, 1000, LIMIT);
        }
        assert!(entry > 8000 && i32::from(entry) <= LIMIT);
    }

    #[test]
    fn blending_converges_on_a_steady_sample() {
        let mut entry = 0;
        for _ in 0..2000 {
            entry = blended(entry, 5000, 16, 256, 16_000);
        }
        assert!((4900..=5000).contains(&i32::from(entry)), "{entry}");
        assert_eq!(blended(0, 1_000_000, 128, 256, 300), 300);
    }
}
