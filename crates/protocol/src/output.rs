//! One place that writes: whole lines, flushed, from whichever thread.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone)]
pub struct Output(Arc<Mutex<State>>);

struct State {
    writer: Box<dyn Write + Send>,
    failure: Option<io::Error>,
    /// Called once, when a write fails.
    on_failure: Option<Box<dyn FnOnce() + Send>>,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(State { writer: Box::new(writer), failure: None, on_failure: None })))
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes text that ends in a newline. After a failure nothing more is written.
    pub fn write(&self, text: &str) {
        self.with(|state| {
            if state.failure.is_some() {
                return;
            }
            let written = state.writer.write_all(text.as_bytes()).and_then(|()| state.writer.flush());
            if let Err(error) = written {
                state.failure = Some(error);
                if let Some(call) = state.on_failure.take() {
                    call();
                }
            }
        });
    }

    pub fn line(&self, text: impl AsRef<str>) {
        let mut line = String::with_capacity(text.as_ref().len() + 1);
        line.push_str(text.as_ref());
        line.push('\n');
        self.write(&line);
    }

    /// `call` runs when a write fails: on the thread that wrote, so it must not wait for anything.
    pub(crate) fn on_failure(&self, call: impl FnOnce() + Send + 'static) {
        self.with(|state| state.on_failure = Some(Box::new(call)));
    }

    /// The error of the write that failed, with what it was about.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        self.with(|state| {
            let error = state.failure.as_ref()?;
            Some(io::Error::new(error.kind(), format!("standard output: {error}")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failed_write_is_told_once() {
        let output = Output::new(Full);
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        output.on_failure(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        assert!(output.failure().is_none());
        output.line("a");
        output.line("b");
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        assert_eq!(output.failure().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
