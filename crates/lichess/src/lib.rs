//! A bot on Lichess: the engine in this process, the site at the other end of a wire.
//!
//! One thread listens to the account's events, two serve each game (one listens, one plays), and one decides what to do
//! with challenges. Every request passes one gate ([`client`]), so the site sees one at a time; when it says "too many",
//! all of them wait. Nothing here prints: what a person should read goes to the [`Note`] sink handed to [`Bot::connect`],
//! and no note can carry the token, because nothing but a request's header ever reads it.

mod account;
mod backoff;
mod bot;
pub mod client;
mod identity;
mod listen;
mod notes;
mod orders;
pub mod policy;
mod site;
mod stream;
mod table;
mod token;
pub mod wire;

pub use account::Account;
pub use bot::{Bot, Config, Handle};
pub use client::Trouble;
pub use identity::Identifier;
pub use notes::{Finished, Note};
pub use orders::{Pace, Stage};
pub use policy::Policy;
pub use site::Site;
pub use stream::{Line, Lines};
pub use table::TableSettings;
pub use token::{Token, TokenError};
