//! Ranks: those of a virtual cluster inside one pool, and the pools of other processes that search the same positions.

use crate::pool_settings::SearchPoolSettings;
use crate::worker::Shared;
use chess::{Game, Move};
use kernel::exchange::{Exchange, Outbox, Rank, VirtualNetwork, VirtualRank};
use kernel::sched::{RankWorkers, Ranks};
use kernel::{Depth, SharedProgress};
use std::sync::Arc;

/// A search as other processes need to know it.
pub struct PeerSearch<'a> {
    /// The game, with the position to search.
    pub game: &'a Game,
    /// The root moves; empty for all.
    pub allowed: &'a [Move],
    /// How deep to search at most.
    pub depth: Option<Depth>,
}

/// Other processes that search the same positions.
pub trait Peers: Send + Sync {
    /// Which of them this process is; the first decides what is searched.
    fn number(&self) -> usize;

    /// A search begins here. Until [`Peers::end`], `rank` gives and takes what is exchanged.
    fn begin(&self, search: &PeerSearch<'_>, rank: Rank<Move>);

    /// The search is over here.
    fn end(&self);
}

fn rank(
    settings: &SearchPoolSettings,
    workers: usize,
    shared: &Arc<Shared>,
    game: &Game,
    allowed: &[Move],
) -> (Rank<Move>, Arc<SharedProgress<Move>>) {
    let progress = Arc::new(SharedProgress::default());
    let legal = game.position().legal_moves();
    let root_moves = legal.iter().copied().filter(|mv| allowed.is_empty() || allowed.contains(mv)).collect();
    let table = Arc::clone(shared);
    let store = move |key, entry| table.table.store(key, entry);
    (Rank::new(settings.batch, workers, Arc::clone(&progress), root_moves, store), progress)
}

/// A search of one process among several: its ranks, the exchange, and where each worker puts its deep entries.
pub(crate) fn rank_among_peers(
    settings: &SearchPoolSettings,
    shared: &Arc<Shared>,
    game: &Game,
    allowed: &[Move],
) -> (Ranks<Move>, Rank<Move>, Vec<Option<Arc<Outbox>>>) {
    let workers = settings.workers();
    let (rank, progress) = rank(settings, workers, shared, game, allowed);
    let outboxes = (0..workers).map(|worker| rank.outbox(worker)).collect();
    (Ranks::alone(progress, true), rank, outboxes)
}

/// A search by a virtual cluster: its ranks, and where each worker puts its deep entries.
pub(crate) fn virtual_cluster(
    settings: &SearchPoolSettings,
    tables: &[Arc<Shared>],
    game: &Game,
    allowed: &[Move],
) -> (Ranks<Move>, Vec<Option<Arc<Outbox>>>) {
    let network = Arc::new(VirtualNetwork::new(settings.network, tables.len()));
    let mut outboxes = Vec::new();
    let ranks = settings.ranks().zip(tables).enumerate().map(|(number, (workers, shared))| {
        let (rank, progress) = rank(settings, workers.len(), shared, game, allowed);
        outboxes.extend((0..workers.len()).map(|worker| rank.outbox(worker)));
        let exchange: Arc<dyn Exchange> =
            Arc::new(VirtualRank { rank, number, network: Arc::clone(&network) });
        RankWorkers { workers, progress, exchange: Some(exchange) }
    });
    let ranks = Ranks::several(ranks.collect());
    (ranks, outboxes)
}
