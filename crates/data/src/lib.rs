//! Training data for the evaluation network: self-play, the files it writes, and what is done with them.
//!
//! [`play`] plays one game, [`generate`] plays many on several threads, [`file`] keeps them: whole games, a start
//! and then four bytes a ply (the chaining of Viridithas), in blocks with checksums. [`filter`] says which positions
//! of a game are worth learning from, [`outlook`] what the rest of the game made of them, [`sample`] is one of them as
//! the trainer reads it, [`convert`] goes from games to samples, [`harvest`] from games to the samples of the trees below them. Labels are our own engine's scores and the results of
//! its games. Nothing here prints or reads the clock: the caller supplies both.

pub mod arrange;
pub mod cli;
pub mod convert;
pub mod export;
pub mod file;
pub mod filter;
pub mod game;
pub mod generate;
pub mod harvest;
pub mod import;
pub mod outlook;
pub mod play;
pub mod sample;
pub mod stats;
