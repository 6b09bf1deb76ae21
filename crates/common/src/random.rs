//! One seeded pseudo-random number generator for the workspace: the same seed gives the same stream on every machine.

/// SplitMix64 (Steele, Lea and Flood 2014). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// A seed from the operating system's entropy: different in every call and every process.
pub fn entropy_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    // The standard library draws the keys of its hash maps from the operating system.
    RandomState::new().hash_one(0_u64)
}

/// The increment of the state: 2^64 divided by the golden ratio.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64: every input bit changes about half of the output bits.
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Random {
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The stream of one game of one shard of a run. Streams of neighbouring games have nothing in common.
    pub const fn of_game(seed: u64, shard: u32, game: u64) -> Random {
        let mut stream = Random(seed);
        stream = Random(stream.next_u64() ^ shard as u64);
        Random(stream.next_u64() ^ game)
    }

    /// Output number `index` of the stream of `seed`, from 0, without drawing those before it.
    pub const fn nth(seed: u64, index: u64) -> u64 {
        mix(seed.wrapping_add(index.wrapping_add(1).wrapping_mul(INCREMENT)))
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(INCREMENT);
        mix(self.0)
    }

    /// Uniform from 0 to just below 1, with the 53 bits that a double holds.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in `0 .. bound`; 0 when `bound` is 0. Multiply-shift (Lemire 2019): the bias is below 2^-32 for every
    /// bound below 2^32.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A standard normal number (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// An index drawn by weight; `None` when no weight is positive.
    pub fn weighted_index(&mut self, weights: &[f64]) -> Option<usize> {
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

    /// Fisher-Yates shuffle, in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_stream_of_seed_0() {
        let mut random = Random::new(0);
        assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.next_u64(), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(random.next_u64(), 0x06c4_5d18_8009_454f);
        assert_eq!(Random::nth(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(Random::nth(0, 2), 0x06c4_5d18_8009_454f);
    }

    #[test]
    fn entropy_differs_from_call_to_call() {
        let seeds: std::collections::HashSet<u64> = (0..100).map(|_| entropy_seed()).collect();
        assert_eq!(seeds.len(), 100);
    }

    #[test]
    fn unit_numbers_have_the_moments_of_the_uniform_distribution() {
        let mut random = Random::new(7);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.unit()).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 0.002, "{variance}");
        assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut random = Random::new(0);
        let numbers: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn weighted_indices_follow_their_weights() {
        let mut random = Random::new(5);
        let mut counts = [0_u32; 3];
        for _ in 0..10_000 {
            counts[random.weighted_index(&[1.0, 0.0, 3.0]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((2200..2800).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.weighted_index(&[]), None);
        assert_eq!(random.weighted_index(&[0.0, f64::NAN]), None);
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_repeats_with_its_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn every_game_has_a_stream_of_its_own() {
        let first = |seed, shard, game| Random::of_game(seed, shard, game).next_u64();
        let mut seen = std::collections::HashSet::new();
        for seed in 0..4 {
            for shard in 0..4 {
                for game in 0..100 {
                    assert!(seen.insert(first(seed, shard, game)), "{seed} {shard} {game}");
                }
            }
        }
    }
}
