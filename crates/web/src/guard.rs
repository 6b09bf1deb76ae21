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
use std::net::SocketAddr;

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

pub struct Guard {
    hosts: Vec<String>,
    token: String,
}

impl Guard {
    /// For a server bound to this address.
    pub fn new(address: SocketAddr, token: String) -> Guard {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
        }
        if port == 80 {
            let bare: Vec<String> =
                hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_string)).collect();
            hosts.extend(bare);
        }
        Guard { hosts, token }
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
        self.check_word(given)
    }

    pub fn check_socket_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let offered = headers.get("sec-websocket-protocol").and_then(|value| value.to_str().ok());
        let given = offered.and_then(|words| {
            words.split(',').find_map(|word| word.trim().strip_prefix(SOCKET_TOKEN_PREFIX))
        });
        self.check_word(given)
    }

    fn check_word(&self, given: Option<&str>) -> Result<(), Refusal> {
        if given.is_some_and(|given| same(given.as_bytes(), self.token.as_bytes())) {
            Ok(())
        } else {
            Err(Refusal::Token)
        }
    }
}

/// The value of a header that stands there once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() {
        return None;
    }
    first.to_str().ok()
}

/// Compares in a time that does not tell how much was right.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// What every answer says about itself.
pub fn harden(headers: &mut HeaderMap) {
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
