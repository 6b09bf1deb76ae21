//! One engine on several machines.
//!
//! The ranks of a cluster are processes that search the same position, each with its own threads and its own table. Rank 0, the
//! *leader*, has the engine that the user speaks to; the others *follow*: they get its options and positions, begin to search
//! when it does, and stop when it stops. During a search all ranks tell each other their deep table entries and finished
//! iterations ([`kernel::exchange`]).
//!
//! Each rank has one thread for all messages ([`MessageThread`]), so that no search ever waits for one. The leader never waits for a
//! follower, and a follower that is slow or gone costs only what it would have found.
//!
//! Messages travel by a [`Transport`]: the channels of one process with delays, losses and deaths for tests ([`channels`]), or
//! MPI with the feature `mpi`.

pub mod channels;
mod follower;
mod job;
mod leader;
mod link;
mod message;
mod message_thread;
#[cfg(feature = "mpi")]
pub mod mpi;
mod transport;

pub use follower::follow;
pub use job::Job;
pub use leader::Leader;
pub use link::Link;
pub use message::{DecodeError, Message, SearchOrder};
pub use message_thread::MessageThread;
pub use transport::{PeerLost, Transport};
