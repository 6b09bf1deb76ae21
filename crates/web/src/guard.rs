//! Who may talk to the server: safety rules 2 to 5.
//!
//! A page on the internet can make a browser send requests to loopback. It cannot choose the `Host` header except by
//! rebinding a name, cannot hide its `Origin` from a socket, and does not know this launch's token. Each of the three is
//! checked, and no answer carries a CORS header, so no other page can read one.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The header that carries the token of a request; a browser lets no foreign page set it.
pub const TOKEN_HEADER: &str = "x-tabiya-token";
/// A socket cannot set headers; its token is the second word of the protocol header.
pub const SOCKET_PROTOCOL: &str = "tabiya";
const SOCKET_TOKEN_PREFIX: &str = "token.";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    pub const fn sentence(self) -> &'static str {
        match self {
            Refusal::Host => "This server answers to its own address only.\n",
            Refusal::Origin => "Another page may not open this socket.\n",
            Refusal::Token => {
                "The token is missing or of an earlier start: open the link this program printed.\n"
            }
        }
    }
}

/// Names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

fn with_port(name: &str, port: u16) -> String {
    format!("{name}:{port}")
}

/// Whether a server can listen on this address and be called by these names. A browser must call it by a name that is
/// known (safety rule 2), and an address that stands for all of them is no name.
pub fn check_hosts(address: IpAddr, names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| !is_host(name)) {
        return Err(format!(
            "host '{}', expected a name or an address without a port",
            common::clip(name, 80)
        ));
    }
    if address.is_unspecified() && names.is_empty() {
        return Err(format!(
            "{address} stands for every address of this machine, and the server answers only to names it knows: \
             add --host NAME for each name or address that browsers will use, or listen on one address"
        ));
    }
    Ok(())
}

/// A name of letters, digits, dots and hyphens, an IPv4 address, or an IPv6 address in brackets.
fn is_host(name: &str) -> bool {
    let bracketed = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match bracketed {
        Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
        None => {
            (1..=253).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        }
    }
}

pub struct Guard {
    hosts: Vec<String>,
    token: String,
}

impl Guard {
    /// For a server bound to this address. `names` were accepted by [`check_hosts`].
    pub fn new(address: SocketAddr, names: &[String], token: String) -> Guard {
        let port = address.port();
        let mut hosts: Vec<String> = names.iter().map(|name| with_port(name, port)).collect();
        if address.ip().is_unspecified() {
            // Every address is listened on, and loopback is one of them.
            hosts.extend(LOOPBACK.map(|name| with_port(name, port)));
        } else {
            hosts.push(address.to_string());
        }
        if address.ip().is_loopback() {
            hosts.extend(LOOPBACK.map(|name| with_port(name, port)));
        }
        if port == 80 {
            let bare: Vec<String> =
                hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_string)).collect();
            hosts.extend(bare);
        }
        Guard { hosts, token }
    }

    /// The host of the link that the operator opens.
    pub fn public_host(&self) -> &str {
        &self.hosts[0]
    }

    pub fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let known = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if single(headers, &HOST).is_some_and(known) { Ok(()) } else { Err(Refusal::Host) }
    }

    /// A socket must come from our own page. Programs that are no browser send no `Origin` and are refused too.
    pub fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let origin = single(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let known = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if origin.is_some_and(known) { Ok(()) } else { Err(Refusal::Origin) }
    }

    pub fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        self.check_value(given)
    }

    pub fn check_socket_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let offered = headers.get("sec-websocket-protocol").and_then(|value| value.to_str().ok());
        let given = offered.and_then(|words| {
            words.split(',').find_map(|word| word.trim().strip_prefix(SOCKET_TOKEN_PREFIX))
        });
        self.check_value(given)
    }

    fn check_value(&self, given: Option<&str>) -> Result<(), Refusal> {
        if given.is_some_and(|given| constant_time_eq(given.as_bytes(), self.token.as_bytes())) {
            Ok(())
        } else {
            Err(Refusal::Token)
        }
    }
}

/// The value of a header that occurs exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() {
        return None;
    }
    first.to_str().ok()
}

/// Compares in a time that does not depend on where the two differ.
fn constant_time_eq(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Headers of every answer.
pub fn add_security_headers(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// 128 random bits from the system's source, as 32 hexadecimal digits.
pub fn fresh_token() -> std::io::Result<String> {
    use std::fmt::Write as _;
    use std::io::Read as _;
    let mut bytes = [0u8; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_needs_a_name() {
        let any: IpAddr = "0.0.0.0".parse().unwrap();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(check_hosts(any, &[]).unwrap_err().contains("--host NAME"));
        assert!(check_hosts("::".parse().unwrap(), &[]).is_err());
        for name in ["board.local", "192.168.1.7", "[fe80::1]"] {
            assert_eq!(check_hosts(any, &names(&[name])), Ok(()), "{name}");
        }
        for name in ["", "a b", "a:80", "*", "[x]", "http://a"] {
            assert!(check_hosts(any, &names(&[name])).is_err(), "{name}");
        }
        assert_eq!(check_hosts("127.0.0.1".parse().unwrap(), &[]), Ok(()));
    }

    #[test]
    fn a_server_on_every_address_answers_to_its_names_and_to_loopback() {
        let names = ["board.local".to_string()];
        let guard = Guard::new("0.0.0.0:8064".parse().unwrap(), &names, "token".into());
        assert_eq!(guard.public_host(), "board.local:8064");
        let check = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            guard.check_host(&headers)
        };
        for host in ["board.local:8064", "BOARD.local:8064", "127.0.0.1:8064", "localhost:8064"] {
            assert_eq!(check(host), Ok(()), "{host}");
        }
        for host in ["0.0.0.0:8064", "192.168.1.7:8064", "evil.example:8064", "board.local"] {
            assert_eq!(check(host), Err(Refusal::Host), "{host}");
        }
    }
}
