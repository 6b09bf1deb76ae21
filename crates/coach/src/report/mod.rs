//! The review written down.

mod board;
mod html;
mod json;
mod pgn;
mod sentences;
mod text;

pub use html::html;
pub use json::json;
pub use pgn::annotate;
pub use text::text;
