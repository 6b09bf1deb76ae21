//! The review as text, JSON, HTML and PGN.

mod board;
mod html;
mod json;
mod pgn;
mod sentences;
mod text;

pub use html::html;
pub use json::json;
pub use pgn::annotate;
pub use sentences::{comments, count_of, line};
pub use text::text;
