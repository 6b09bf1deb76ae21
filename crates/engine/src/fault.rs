//! A failure inside the engine that it survived.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What failed and why. The engine goes on with what it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub what: &'static str,
    pub reason: String,
}

impl Fault {
    /// A worker of a search panicked.
    pub(crate) fn worker() -> Fault {
        Fault { what: "the search", reason: "a worker panicked".to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed: {}; the engine goes on", self.what, self.reason)
    }
}

impl std::error::Error for Fault {}

/// Runs `work`; a panic becomes a [`Fault`].
pub(crate) fn catch<T>(what: &'static str, work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Fault { what, reason: text_of(&*payload) })
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    common::escape_control(text.unwrap_or("a panic without a message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_one_line_of_text() {
        let fault = catch::<()>("the test", || panic!("first\nsecond")).unwrap_err();
        assert_eq!(fault.to_string(), "the test failed: first\\nsecond; the engine goes on");
        assert_eq!(catch("the test", || 3), Ok(3));
    }
}
