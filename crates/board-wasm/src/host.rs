//! What the module gives to the host. Each text begins with a letter that says what it is: `E` an event of the session, `A` an
//! answer to a request, `F` a file to keep, `D` a file to delete.

use engine::Clock;
use std::time::{Duration, Instant};
use web::hosted::{Answer, Outbox};

#[link(wasm_import_module = "tabiya")]
unsafe extern "C" {
    /// Takes a text.
    fn emit(start: *const u8, length: usize);
    /// Writes the date and time as 20 letters of ISO 8601, in UTC.
    fn date(start: *mut u8);
}

pub fn date_now() -> String {
    let mut text = [b' '; 20];
    // SAFETY: the host writes exactly 20 bytes, during the call.
    unsafe { date(text.as_mut_ptr()) };
    String::from_utf8_lossy(&text).into_owned()
}

fn give(text: &str) {
    // SAFETY: the pointer and the length are those of a live text, which the host only reads during the call.
    unsafe { emit(text.as_ptr(), text.len()) };
}

pub struct Page;

impl Outbox for Page {
    fn event(&self, json: &str) {
        give(&format!("E{json}"));
    }
}

pub fn answer(number: &str, answer: &Answer) {
    give(&format!("A{number} {} {}", answer.status, answer.body));
}

pub fn file_changed(name: &str, text: Option<&[u8]>) {
    match text {
        Some(text) => give(&format!("F{name}\n{}", String::from_utf8_lossy(text))),
        None => give(&format!("D{name}")),
    }
}

/// The time of the host. Whatever reads it, a search too, tells `heard` so.
pub struct HostClock {
    start: Instant,
    heard: fn(Duration),
}

impl HostClock {
    pub fn new(heard: fn(Duration)) -> HostClock {
        HostClock { start: Instant::now(), heard }
    }
}

impl Clock for HostClock {
    fn now(&self) -> Duration {
        let now = self.start.elapsed();
        (self.heard)(now);
        now
    }
}
