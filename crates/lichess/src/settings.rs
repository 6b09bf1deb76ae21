//! How the engine plays its games.

use std::time::Duration;

#[derive(Clone, Debug)]
pub struct PlaySettings {
    pub threads: usize,
    pub hash_megabytes: usize,
    /// Reserved in every move for the time to the site and back.
    pub overhead: Duration,
    pub ponder: bool,
    /// Engine options by name, set in this order.
    pub options: Vec<(String, String)>,
    /// Sent once, after the first move of a game.
    pub greeting: Option<String>,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            threads: 1,
            hash_megabytes: 64,
            overhead: Duration::from_millis(300),
            ponder: true,
            options: Vec::new(),
            greeting: None,
        }
    }
}
