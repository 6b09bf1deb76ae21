//! Randomness that a caller seeds: the same seed, the same game.

/// xorshift64* (Vigna 2016).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Random {
        // Zero would stay zero for ever.
        Random(if seed == 0 { 0x9e37_79b9_7f4a_7c15 } else { seed })
    }

    pub const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to just below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A standard normal number (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// An index drawn by weight; `None` when no weight is positive.
    pub fn draw(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
        if total.is_nan() || total <= 0.0 {
            return None;
        }
        let mut point = self.unit() * total;
        let mut last = None;
        for (index, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = Some(index);
            point -= weight;
            if point < 0.0 {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_their_weights() {
        let mut random = Random::new(5);
        let mut counts = [0u32; 3];
        for _ in 0..10_000 {
            counts[random.draw(&[1.0, 0.0, 3.0]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((2200..2800).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.draw(&[]), None);
        assert_eq!(random.draw(&[0.0, f64::NAN]), None);
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_spread_one() {
        let mut random = Random::new(0);
        let numbers: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let spread = numbers.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (spread - 1.0).abs() < 0.05, "{mean} {spread}");
    }
}
