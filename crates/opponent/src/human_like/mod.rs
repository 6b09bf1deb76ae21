//! Human-like play: the move is drawn from what people of a level play, except moves that nobody of that level plays.
//!
//! It avoids three faults of weakened engines. They drop a piece and then defend perfectly: here every move comes from the
//! same distribution. They cannot give a basic mate or recapture: a bare king is mated by the search, and people
//! recapture. They move at once: see [`Pace`].

mod adaptive;
mod character;
mod level;
mod pace;
mod player;
mod taste;

pub use adaptive::Adaptive;
pub use character::{Character, NO_CHARACTER};
pub use level::{Level, LevelError};
pub use pace::{Moment, Pace, TimeLeft};
pub use player::{Choice, HumanLikePlayer, Reason};
