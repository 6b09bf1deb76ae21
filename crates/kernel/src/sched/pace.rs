//! Virtual time: what a worker reports to the pacer, which lets workers take turns. Real time needs none.

/// Costs in units of virtual time. A unit is a sixteenth of what a node above the horizon costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// A node above the horizon.
    pub node: u64,
    /// A quiescence node.
    pub quiescence: u64,
    /// Publishing a node: the owner's side of sharing.
    pub offer: u64,
    /// Joining a node: finding it, copying its frame, warming up.
    pub join: u64,
    /// Noticing that the present work is pointless.
    pub abort: u64,
    /// One look around for work.
    pub poll: u64,
}

impl Costs {
    /// As calibrated; `docs/parallel.md` says how, and by which command to do it again.
    pub const CALIBRATED: Self = Self { node: 16, quiescence: 11, offer: 2, join: 48, abort: 16, poll: 16 };
}

impl Default for Costs {
    fn default() -> Self {
        Self::CALIBRATED
    }
}

/// Keeps one worker's time.
pub trait Pacer: Send + Sync {
    /// What things cost.
    fn costs(&self) -> Costs;

    /// The worker has spent so many units since its search began. Does not give way to others.
    fn note(&self, spent: u64);

    /// As [`Pacer::note`], and lets every worker that is behind catch up. Returns how many nodes the
    /// worker may search before it comes back.
    fn give_way(&self, spent: u64) -> u64;
}
