//! Rank 0: what its engine does, the others do as well.

use crate::link::Link;
use crate::message::Message;
use chess::Move;
use engine::{Cluster, PeerSearch, Peers};
use kernel::exchange::Rank;
use std::sync::Arc;

/// The cluster as rank 0's engine sees it.
pub struct Leader(Arc<Link>);

impl Leader {
    /// Leads by this link.
    pub fn new(link: Arc<Link>) -> Self {
        Self(link)
    }
}

impl Peers for Leader {
    fn number(&self) -> usize {
        0
    }

    fn begin(&self, search: &PeerSearch<'_>, rank: Rank<Move>) {
        self.0.lead(search, rank);
    }

    fn end(&self) {
        self.0.end();
        let number = self.0.lock().latest;
        self.0.tell(&Message::Stop { number });
    }
}

impl Cluster for Leader {
    fn set_option(&self, name: &str, value: Option<&str>) {
        self.0.tell(&Message::Option { name: name.to_owned(), value: value.map(str::to_owned) });
    }

    fn new_game(&self) {
        self.0.tell(&Message::NewGame);
    }
}
