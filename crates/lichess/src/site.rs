//! Where the bot plays. There are two places only, so a token cannot be sent anywhere else: Lichess over TLS, or a
//! server on this machine that stands in for it in tests.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site(Place);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    Lichess,
    /// A port on loopback; the address cannot be chosen.
    Here(u16),
}

impl Site {
    pub const fn lichess() -> Site {
        Site(Place::Lichess)
    }

    pub const fn on_this_machine(port: u16) -> Site {
        Site(Place::Here(port))
    }

    /// Whether the wire leaves the machine, and so has to be encrypted.
    pub(crate) const fn is_remote(&self) -> bool {
        matches!(self.0, Place::Lichess)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{self}{path}")
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Place::Lichess => f.write_str("https://lichess.org"),
            Place::Here(port) => write!(f, "http://127.0.0.1:{port}"),
        }
    }
}
