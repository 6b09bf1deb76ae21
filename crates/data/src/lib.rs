//! Training data for the evaluation network: self-play, the files it writes, and what is done with them.
//!
//! [`play`] plays one game, [`generate`] plays many on several threads, [`file`] keeps them: whole games, a start
//! and then four bytes a ply (the chaining of Viridithas), in blocks with checksums. [`filter`] says which positions
//! of a game are used for training, [`lambda_return`] computes their TD(lambda) targets, [`sample`] is one of them as the
//! trainer reads it, [`convert`] goes from games to samples, [`label_tree`] from games to the samples of the search trees
//! below them. Labels are our own engine's scores and the results of its games. Nothing here prints or reads the clock:
//! the caller supplies both.

pub mod cli;
pub mod convert;
pub mod export;
pub mod file;
pub mod filter;
pub mod game;
pub mod game_lines;
pub mod generate;
pub mod import;
pub mod label_tree;
pub mod lambda_return;
pub mod play;
pub mod rescore;
pub mod sample;
pub mod shuffle;
pub mod split;
pub mod stats;
