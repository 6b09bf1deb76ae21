//! The address of the site. There are two only, so a token cannot be sent anywhere else: Lichess over TLS, or a test
//! server on this machine.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site(Address);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Address {
    Lichess,
    /// A port on loopback; the address cannot be chosen.
    Loopback(u16),
}

impl Site {
    pub const fn lichess() -> Site {
        Site(Address::Lichess)
    }

    pub const fn on_this_machine(port: u16) -> Site {
        Site(Address::Loopback(port))
    }

    /// Whether requests leave the machine, and so have to be encrypted.
    pub(crate) const fn is_remote(&self) -> bool {
        matches!(self.0, Address::Lichess)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{self}{path}")
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Address::Lichess => f.write_str("https://lichess.org"),
            Address::Loopback(port) => write!(f, "http://127.0.0.1:{port}"),
        }
    }
}
