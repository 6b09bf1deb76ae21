//! Versions of the Leiserchess player: nodes, nodes per second and depth for each version of the player, with more and more threads,
//! with a book and without, with a locked table and with one that needs no locks.

pub mod analysis;
pub mod book;
pub mod config;
pub mod kind;
pub mod report;
pub mod run;
pub mod version;
