//! What ranks tell each other. A rank is a group of workers with a table of its own: a process on another machine, or a part
//! of a virtual cluster.
//!
//! Workers put deep table entries into an [`Outbox`]; a [`Rank`] makes them, and finished iterations, into [`Batch`]es and takes
//! in those of others. Nothing here waits, and every message may be lost: that costs the others time, never their result.
//! How a batch travels is not decided here. In virtual time it is a [`VirtualNetwork`].

mod batch;
mod outbox;
mod rank;
mod virtual_network;
mod virtual_rank;

pub use batch::Batch;
pub use outbox::Outbox;
pub use rank::{BatchSettings, Rank};
pub use virtual_network::{NetworkSettings, VirtualNetwork};
pub use virtual_rank::{Exchange, VirtualRank};
