//! A small generator, so that a fit, or a game, is the same wherever it is made.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The stream of one game of one shard of a run: streams of neighbours have nothing in common.
    pub fn of_game(seed: u64, shard: u32, game: u64) -> Random {
        let mut mixed = Random(seed);
        for part in [u64::from(shard), game] {
            mixed = Random(mixed.next_u64() ^ part);
        }
        mixed
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    assert_eq!(first(seed, shard, game), first(seed, shard, game));
                }
            }
        }
    }
}
