//! Requests: safety rule 11. One at a time; after the status "too many requests" (429), none for a minute. A move goes
//! before everything else: a request of low priority that is under way is cut off for it.

use crate::gate::{Gate, Pass};
use crate::log::LogEvent;
use crate::shutdown::Shutdown;
use crate::site::Site;
use crate::stream::Lines;
use crate::token::Token;
use common::clip;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body, BodyReader};

/// The wait that the site asks for after the status 429.
pub const AFTER_TOO_MANY: Duration = Duration::from_secs(60);
/// The longest wait that is accepted from the site; more is an error.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
/// Until an ordinary answer is complete.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a move waits for a request of low priority before it cuts it off: the default of what every move reserves
/// for the connection. Most requests end within it, so that the site still sees one at a time.
const GRACE: Duration = Duration::from_millis(300);
/// A stream that is silent for so long is dead: the site sends an empty line every 7 seconds.
const SILENCE: Duration = Duration::from_secs(30);
/// Bytes of an ordinary answer.
const LARGEST: u64 = 1 << 20;

const USER_AGENT: &str =
    concat!("Tabiya/", env!("CARGO_PKG_VERSION"), " (", env!("CARGO_PKG_REPOSITORY"), ")");

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestError {
    /// The site understood the request and refused it.
    Refused { status: u16, why: String },
    /// The site cannot be reached or reports a fault of its own: worth another try.
    Unavailable(String),
    /// The bot is shutting down.
    Leaving,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Refused { status: 401, .. } => write!(f, "the site does not know this token"),
            RequestError::Refused { status, why } => write!(f, "{why} ({status})"),
            RequestError::Unavailable(why) => f.write_str(why),
            RequestError::Leaving => f.write_str("leaving"),
        }
    }
}

impl std::error::Error for RequestError {}

pub type LogSink = Arc<dyn Fn(LogEvent) + Send + Sync>;

pub struct Client {
    site: Site,
    token: Token,
    agent: Agent,
    /// For requests of low priority; closed and made anew when a move cuts one off.
    low_priority: Mutex<Agent>,
    gate: Gate,
    shutdown: Arc<Shutdown>,
    sink: LogSink,
}

/// The lines of a stream, and the means to hang up from another thread.
pub struct OpenStream {
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
    pub fn new(site: Site, token: Token, shutdown: Arc<Shutdown>, sink: LogSink) -> Client {
        let (agent, low_priority) = (request_agent(&site, &shutdown), request_agent(&site, &shutdown));
        Client {
            site,
            token,
            agent,
            low_priority: Mutex::new(low_priority),
            gate: Gate::default(),
            shutdown,
            sink,
        }
    }

    pub fn site(&self) -> &Site {
        &self.site
    }

    pub fn shutdown(&self) -> &Arc<Shutdown> {
        &self.shutdown
    }

    pub fn log(&self, event: LogEvent) {
        (self.sink)(event);
    }

    pub fn get(&self, path: &str) -> Result<String, RequestError> {
        self.ask(self.gate.enter(), || {
            let request = self.agent.get(self.site.url(path)).header("Authorization", self.token.header());
            read(request.call().map_err(unavailable)?)
        })
    }

    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<(), RequestError> {
        self.ask(self.gate.enter(), || self.send(&self.agent, path, form))
    }

    /// A request that a clock waits for: before all others, and a request of low priority is cut off for it.
    pub fn post_first(&self, path: &str) -> Result<(), RequestError> {
        let announced = self.gate.announce();
        if !announced.wait(GRACE) {
            let fresh = request_agent(&self.site, &self.shutdown);
            let mut low_priority = self.low_priority.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *low_priority, fresh).shutdown();
        }
        self.ask(announced.enter(), || self.send(&self.agent, path, &[]))
    }

    /// A request that any move may cut off; it then fails as [`RequestError::Unavailable`].
    pub fn post_low_priority(&self, path: &str, form: &[(&str, &str)]) -> Result<(), RequestError> {
        loop {
            let pass = self.gate.enter();
            let agent = self.low_priority.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // A move announced before the agent was read did not close it: it goes first.
            if !self.gate.has_announced() {
                return self.ask(pass, || self.send(&agent, path, form));
            }
        }
    }

    fn send(&self, agent: &Agent, path: &str, form: &[(&str, &str)]) -> Result<Reply<()>, RequestError> {
        let request = agent.post(self.site.url(path)).header("Authorization", self.token.header());
        let answer =
            if form.is_empty() { request.send_empty() } else { request.send_form(form.iter().copied()) };
        Ok(match read(answer.map_err(unavailable)?)? {
            Reply::Done(_) => Reply::Done(()),
            Reply::TooMany(wait) => Reply::TooMany(wait),
        })
    }

    /// Opens an endless answer. Only its beginning counts as a request.
    pub fn open(&self, path: &str) -> Result<OpenStream, RequestError> {
        // Not too short where tests hurry: a busy machine may pause for a second.
        let silence = self.shutdown.scale.apply(SILENCE).max(Duration::from_secs(2));
        let own = agent(&self.site, None, Some(silence));
        let body = self.ask(self.gate.enter(), || {
            let request = own
                .get(self.site.url(path))
                .header("Authorization", self.token.header())
                .header("Accept", "application/x-ndjson");
            let answer = request.call().map_err(unavailable)?;
            if answer.status().is_success() { Ok(Reply::Done(answer.into_body())) } else { refusal(answer) }
        })?;
        Ok(OpenStream { lines: Lines::new(body.into_reader()), hang_up: HangUp(own) })
    }

    /// Holds the gate until the answer is there, and through every wait the site asks for.
    fn ask<T>(
        &self,
        _pass: Pass<'_>,
        request: impl Fn() -> Result<Reply<T>, RequestError>,
    ) -> Result<T, RequestError> {
        loop {
            if self.shutdown.leaving() {
                return Err(RequestError::Leaving);
            }
            match request()? {
                Reply::Done(answer) => return Ok(answer),
                Reply::TooMany(asked) => {
                    let wait = asked.unwrap_or_default().clamp(AFTER_TOO_MANY, LONGEST_WAIT);
                    self.log(LogEvent::TooMany { wait });
                    self.shutdown.wait(wait);
                }
            }
        }
    }
}

enum Reply<T> {
    Done(T),
    TooMany(Option<Duration>),
}

fn request_agent(site: &Site, shutdown: &Shutdown) -> Agent {
    agent(site, Some(shutdown.scale.apply(ANSWER_TIMEOUT).max(Duration::from_secs(5))), None)
}

fn agent(site: &Site, whole: Option<Duration>, silence: Option<Duration>) -> Agent {
    let mut builder = Agent::config_builder()
        .https_only(site.is_remote())
        // The token goes to the site and to no other address.
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(USER_AGENT)
        .timeout_global(whole)
        .timeout_connect(Some(Duration::from_secs(10)))
        .timeout_recv_response(Some(ANSWER_TIMEOUT))
        .timeout_per_read(silence);
    if !site.is_remote() {
        builder = builder.proxy(None);
    }
    builder.build().new_agent()
}

fn read(mut answer: Response<Body>) -> Result<Reply<String>, RequestError> {
    if !answer.status().is_success() {
        return refusal(answer);
    }
    let text = answer.body_mut().with_config().limit(LARGEST).read_to_string().map_err(unavailable)?;
    Ok(Reply::Done(text))
}

fn refusal<T>(mut answer: Response<Body>) -> Result<Reply<T>, RequestError> {
    let status = answer.status().as_u16();
    if status == 429 {
        let seconds = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        return Ok(Reply::TooMany(seconds.map(Duration::from_secs)));
    }
    if status >= 500 || status == 408 {
        return Err(RequestError::Unavailable(format!("the site answers {status}")));
    }
    let text = answer.body_mut().with_config().limit(LARGEST).read_to_string().unwrap_or_default();
    let why = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("error")?.as_str().map(|why| clip(why, 200)))
        .unwrap_or_else(|| "no reason given".to_string());
    Err(RequestError::Refused { status, why })
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn unavailable(error: ureq::Error) -> RequestError {
    RequestError::Unavailable(clip(&error.to_string(), 200))
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
