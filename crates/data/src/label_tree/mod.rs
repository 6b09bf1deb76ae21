//! Labels from inside the search tree (TreeStrap: Veness, Silver, Uther and Blair 2009).
//!
//! After a position is searched, the transposition table holds positions below it, each with a score and a bound.
//! Walking down from the root through the table gives them back as positions. A search of 5,000 nodes gives one label to
//! a position of a game, and one each to 50 to 100 positions of its tree; these are the positions that a search
//! evaluates. Most labels are bounds: the trainer counts only a prediction on the wrong side of one.

mod progress;
mod run;
mod tree;

pub use progress::Progress;
pub use run::{LabelTree, label_tree};
pub use tree::TreeLabels;
