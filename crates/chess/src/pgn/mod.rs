//! Portable Game Notation, in and out.
//!
//! [`PgnReader`] reads games one after another from any stream, so a file may be larger than memory; what one game
//! may take is bounded by [`Limits`]. A game that cannot be read is reported with its number, line and column, and
//! reading goes on with the next. A [`PgnGame`] keeps everything a file says: tags, comments, annotation glyphs,
//! variations as a tree, clocks and evaluations (`%clk`, `%emt`, `%eval`) taken out of the comments as values.
//!
//! ```
//! use chess::pgn::PgnReader;
//! let text = "[White \"Anderssen\"]\n\n1. e4 e5 (1... c5 { [%clk 0:05:00] }) 2. f4 $1 *\n";
//! for game in PgnReader::new(text.as_bytes()) {
//!     let game = game?;
//!     assert_eq!(game.moves().count(), 3);
//!     println!("{game}");
//! }
//! # Ok::<(), chess::pgn::PgnError>(())
//! ```

mod comment;
mod error;
mod game;
mod limits;
mod nag;
mod read;
mod result;
mod scan;
mod tags;
mod tree;
mod write;

pub use comment::{Comment, Evaluation, Worth};
pub use error::{PgnError, PgnFault};
pub use game::PgnGame;
pub use limits::Limits;
pub use nag::Nag;
pub use read::PgnReader;
pub use result::GameResult;
pub use tags::Tags;
pub use tree::{Annotation, NodeId, Step};

#[cfg(test)]
mod tests;
