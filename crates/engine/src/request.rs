//! What one search is asked to do.

use chess::Move;
use kernel::Limits;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub limits: Limits,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<Move>,
}

impl Request {
    pub fn new(limits: Limits) -> Request {
        Request { limits, search_moves: Vec::new() }
    }
}
