//! A distribution over the legal moves of one position.

use chess::Move;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply {
    pub mv: Move,
    pub probability: f32,
}

/// Likeliest first. The probabilities sum to one unless there is no legal move.
#[derive(Clone, PartialEq, Debug)]
pub struct Replies(Vec<Reply>);

impl Replies {
    pub(crate) fn new(replies: impl Iterator<Item = Reply>) -> Replies {
        let mut list: Vec<Reply> = replies.collect();
        // A stable order even between equals: the packed move decides.
        list.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.mv.bits().cmp(&b.mv.bits())));
        Replies(list)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_slice(&self) -> &[Reply] {
        &self.0
    }

    pub fn favourite(&self) -> Option<Reply> {
        self.0.first().copied()
    }

    /// Zero for a move that is not legal here.
    pub fn probability(&self, mv: Move) -> f32 {
        self.0.iter().find(|reply| reply.mv == mv).map_or(0.0, |reply| reply.probability)
    }

    /// The fewest likeliest replies that together hold at least `mass` of the probability.
    pub fn covering(&self, mass: f32) -> &[Reply] {
        let mut sum = 0.0;
        let enough = self.0.iter().position(|reply| {
            sum += reply.probability;
            sum >= mass
        });
        &self.0[..enough.map_or(self.0.len(), |last| last + 1)]
    }

    /// The reply at a point of the unit interval: hand in a uniform random number to draw from the distribution.
    pub fn at(&self, point: f32) -> Option<Reply> {
        self.covering(point).last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn three() -> Replies {
        let moves = Position::default().legal_moves();
        let shares = [0.2, 0.5, 0.3];
        Replies::new(moves.iter().zip(shares).map(|(mv, probability)| Reply { mv: *mv, probability }))
    }

    #[test]
    fn the_likeliest_comes_first() {
        let shares: Vec<f32> = three().as_slice().iter().map(|reply| reply.probability).collect();
        assert_eq!(shares, [0.5, 0.3, 0.2]);
    }

    #[test]
    fn covering_takes_as_few_as_it_can() {
        for (mass, expected) in [(0.0, 1), (0.4, 1), (0.5, 1), (0.6, 2), (0.9, 3), (2.0, 3)] {
            assert_eq!(three().covering(mass).len(), expected, "mass {mass}");
        }
    }

    #[test]
    fn a_point_of_the_unit_interval_draws_a_reply() {
        let draws: Vec<f32> =
            [0.1, 0.7, 0.999].iter().filter_map(|p| three().at(*p)).map(|r| r.probability).collect();
        assert_eq!(draws, [0.5, 0.3, 0.2]);
    }
}
