//! A line of play of bounded length, without heap memory.

use crate::depth::MAX_PLY;

/// A principal variation.
#[derive(Clone, Copy)]
pub struct Line<M> {
    moves: [Option<M>; MAX_PLY],
    length: usize,
}

impl<M: Copy> Default for Line<M> {
    fn default() -> Self {
        Self { moves: [None; MAX_PLY], length: 0 }
    }
}

impl<M: Copy> Line<M> {
    /// Forgets the line.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Becomes `first` followed by `rest`.
    #[inline]
    pub fn prepend(&mut self, first: M, rest: &Self) {
        let kept = rest.length.min(MAX_PLY - 1);
        self.moves[0] = Some(first);
        self.moves[1..=kept].copy_from_slice(&rest.moves[..kept]);
        self.length = kept + 1;
    }

    /// Becomes a copy of `other`, touching only what is used.
    pub fn assign(&mut self, other: &Self) {
        self.moves[..other.length].copy_from_slice(&other.moves[..other.length]);
        self.length = other.length;
    }

    /// Adds a move at the end, unless the line is full.
    pub fn push(&mut self, mv: M) {
        if self.length < MAX_PLY {
            self.moves[self.length] = Some(mv);
            self.length += 1;
        }
    }

    /// Keeps only the first `length` moves.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.length
    }

    /// No moves at all.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The moves in order.
    pub fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.moves[..self.length].iter().filter_map(|mv| *mv)
    }

    /// The move at `index`.
    pub fn get(&self, index: usize) -> Option<M> {
        if index < self.length { self.moves[index] } else { None }
    }
}

impl<M: std::fmt::Debug> std::fmt::Debug for Line<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.moves[..self.length].iter().flatten()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_grows_from_its_tail_and_never_overflows() {
        let mut line: Line<u16> = Line::default();
        for number in 0..(MAX_PLY as u16 + 10) {
            let rest = line;
            line.prepend(number, &rest);
        }
        assert_eq!(line.len(), MAX_PLY);
        assert_eq!(line.get(0), Some(MAX_PLY as u16 + 9));
        line.push(1);
        assert_eq!(line.len(), MAX_PLY);
        line.truncate(2);
        assert_eq!(line.iter().collect::<Vec<_>>(), [MAX_PLY as u16 + 9, MAX_PLY as u16 + 8]);
    }
}
