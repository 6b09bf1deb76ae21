//! A partner to play against: the reply model the other way round. Its move is drawn from what people of its level
//! play, under a veto on what nobody of that level plays.
//!
//! Three complaints about weakened engines shaped it: they throw a piece and then defend like a grandmaster (here every
//! move comes from the same distribution), they cannot mate or take back (bare kings are mated by the search, and
//! recaptures are what people play), and they move at once (see [`Pace`]).

mod adaptive;
mod level;
mod pace;
mod player;

pub use adaptive::Adaptive;
pub use level::{Level, LevelError};
pub use pace::{Pace, TimeLeft};
pub use player::{Choice, HumanLikePlayer, Reason};
