//! One place that writes: whole lines, flushed, from whichever thread.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone)]
pub struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Box::new(writer))))
    }

    /// Writes text that ends in a newline. When the reader has gone there is nobody left to tell.
    pub fn write(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(text.as_bytes());
        let _ = writer.flush();
    }

    pub fn line(&self, text: impl AsRef<str>) {
        let mut line = String::with_capacity(text.as_ref().len() + 1);
        line.push_str(text.as_ref());
        line.push('\n');
        self.write(&line);
    }
}
