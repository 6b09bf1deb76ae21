//! The GUI's side of the protocols: what a program that drives engines sends, and what their lines mean. Text in, values
//! out; processes and clocks belong to the caller.

pub mod analysis;
pub mod info;
pub mod offer;
pub mod uci;
pub mod xboard;
