//! Requests: safety rule 11. One at a time, whoever asks; when the site says "too many", nobody asks for a minute.

use crate::notes::Note;
use crate::orders::Orders;
use crate::site::Site;
use crate::stream::Lines;
use crate::token::Token;
use crate::wire::clip;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body, BodyReader};

/// What the site asks for after "too many requests".
pub const AFTER_TOO_MANY: Duration = Duration::from_secs(60);
/// The longest the site may make us wait; more is a mistake of somebody's.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
/// Until an ordinary answer is complete.
const ANSWER: Duration = Duration::from_secs(20);
/// A stream that says nothing for so long is dead: the site sends an empty line every seven seconds.
const SILENCE: Duration = Duration::from_secs(30);
/// Bytes of an ordinary answer.
const LARGEST: u64 = 1 << 20;

const USER_AGENT: &str =
    concat!("Tabiya/", env!("CARGO_PKG_VERSION"), " (", env!("CARGO_PKG_REPOSITORY"), ")");

/// Why a request came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The site understood and said no.
    Refused { status: u16, why: String },
    /// The site is not there or not well: worth another try.
    Away(String),
    /// The operator wants to go.
    Leaving,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refused { status: 401, .. } => write!(f, "the site does not know this token"),
            Trouble::Refused { status, why } => write!(f, "{why} ({status})"),
            Trouble::Away(why) => f.write_str(why),
            Trouble::Leaving => f.write_str("leaving"),
        }
    }
}

impl std::error::Error for Trouble {}

pub type Told = Arc<dyn Fn(Note) + Send + Sync>;

pub struct Client {
    site: Site,
    token: Token,
    agent: Agent,
    /// Held from a request's first byte to its answer's last, and through every wait the site asks for.
    gate: Mutex<()>,
    orders: Arc<Orders>,
    tell: Told,
}

/// A stream's lines, and the means to hang up from another thread.
pub struct Wire {
    pub lines: Lines<BodyReader<'static>>,
    pub hang_up: HangUp,
}

/// Ends one stream. It has connections of its own, so nothing else is touched.
pub struct HangUp(Agent);

impl HangUp {
    pub fn now(self) {
        self.0.shutdown();
    }
}

impl Client {
    pub fn new(site: Site, token: Token, orders: Arc<Orders>, tell: Told) -> Client {
        let agent = agent(&site, Some(orders.pace.of(ANSWER).max(Duration::from_secs(5))), None);
        Client { site, token, agent, gate: Mutex::new(()), orders, tell }
    }

    pub fn site(&self) -> &Site {
        &self.site
    }

    pub fn orders(&self) -> &Arc<Orders> {
        &self.orders
    }

    pub fn tell(&self, note: Note) {
        (self.tell)(note);
    }

    pub fn get(&self, path: &str) -> Result<String, Trouble> {
        self.ask(|| {
            let request = self.agent.get(self.site.url(path)).header("Authorization", self.token.header());
            read(request.call().map_err(away)?)
        })
    }

    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<String, Trouble> {
        self.ask(|| {
            let request = self.agent.post(self.site.url(path)).header("Authorization", self.token.header());
            let answer =
                if form.is_empty() { request.send_empty() } else { request.send_form(form.iter().copied()) };
            read(answer.map_err(away)?)
        })
    }

    /// Opens an endless answer. Only its beginning counts as a request.
    pub fn open(&self, path: &str) -> Result<Wire, Trouble> {
        // Not too short where tests hurry: a busy machine may pause for a second.
        let silence = self.orders.pace.of(SILENCE).max(Duration::from_secs(2));
        let own = agent(&self.site, None, Some(silence));
        let body = self.ask(|| {
            let request = own
                .get(self.site.url(path))
                .header("Authorization", self.token.header())
                .header("Accept", "application/x-ndjson");
            let answer = request.call().map_err(away)?;
            if answer.status().is_success() { Ok(Reply::Done(answer.into_body())) } else { refusal(answer) }
        })?;
        Ok(Wire { lines: Lines::new(body.into_reader()), hang_up: HangUp(own) })
    }

    /// Through the gate, as often as the site says "too many".
    fn ask<T>(&self, request: impl Fn() -> Result<Reply<T>, Trouble>) -> Result<T, Trouble> {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.orders.leaving() {
                return Err(Trouble::Leaving);
            }
            match request()? {
                Reply::Done(answer) => return Ok(answer),
                Reply::TooMany(asked) => {
                    let wait = asked.unwrap_or_default().clamp(AFTER_TOO_MANY, LONGEST_WAIT);
                    self.tell(Note::TooMany { wait });
                    self.orders.rest(wait);
                }
            }
        }
    }
}

enum Reply<T> {
    Done(T),
    TooMany(Option<Duration>),
}

fn agent(site: &Site, whole: Option<Duration>, silence: Option<Duration>) -> Agent {
    let mut builder = Agent::config_builder()
        .https_only(site.is_remote())
        // A token goes nowhere but where it was meant to go.
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(USER_AGENT)
        .timeout_global(whole)
        .timeout_connect(Some(Duration::from_secs(10)))
        .timeout_recv_response(Some(ANSWER))
        .timeout_per_read(silence);
    if !site.is_remote() {
        builder = builder.proxy(None);
    }
    builder.build().new_agent()
}

fn read(mut answer: Response<Body>) -> Result<Reply<String>, Trouble> {
    if !answer.status().is_success() {
        return refusal(answer);
    }
    let text = answer.body_mut().with_config().limit(LARGEST).read_to_string().map_err(away)?;
    Ok(Reply::Done(text))
}

fn refusal<T>(mut answer: Response<Body>) -> Result<Reply<T>, Trouble> {
    let status = answer.status().as_u16();
    if status == 429 {
        let seconds = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        return Ok(Reply::TooMany(seconds.map(Duration::from_secs)));
    }
    if status >= 500 || status == 408 {
        return Err(Trouble::Away(format!("the site answers {status}")));
    }
    let text = answer.body_mut().with_config().limit(LARGEST).read_to_string().unwrap_or_default();
    let why = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("error")?.as_str().map(|why| clip(why, 200)))
        .unwrap_or_else(|| "no reason given".to_string());
    Err(Trouble::Refused { status, why })
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn away(error: ureq::Error) -> Trouble {
    Trouble::Away(clip(&error.to_string(), 200))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 11: a minute, whatever shortening tests ask for elsewhere.
    #[test]
    fn rule_11_too_many_means_a_minute() {
        assert!(AFTER_TOO_MANY >= Duration::from_secs(60));
    }
}
