//! A bot on Lichess: the engine in this process, the site at the other end of a connection.
//!
//! One thread reads the account's events, one decides what to do with challenges, and three serve each game: one reads
//! its stream, one plays, one sends answers to offers and chat. Every request passes one gate ([`client`]), so the site
//! sees one at a time; after "too many requests" all of them wait. Nothing here prints: what a person should read goes
//! to the [`LogEvent`] sink handed to [`Bot::connect`], and no event can carry the token, because only a request's
//! header reads it.

mod account;
mod backoff;
mod bot;
pub mod client;
pub mod events;
mod game;
mod gate;
mod identifier;
mod listen;
mod log;
pub mod policy;
mod settings;
mod shutdown;
mod site;
mod stream;
mod token;

pub use account::Account;
pub use bot::{Bot, Config, Handle};
pub use client::RequestError;
pub use identifier::Identifier;
pub use log::{FinishedGame, LogEvent};
pub use policy::Policy;
pub use settings::PlaySettings;
pub use shutdown::{Stage, TimeScale};
pub use site::Site;
pub use stream::{Line, Lines};
pub use token::{Token, TokenError};
