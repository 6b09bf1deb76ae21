//! What the host does for the module: takes lines, and tells the time.

use engine::{Clock, Engine, OptionError};
use protocol::{Identity, Output};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[link(wasm_import_module = "tabiya")]
unsafe extern "C" {
    /// Takes text that ends in a newline.
    fn emit(start: *const u8, length: usize);
}

struct Emitter;

impl Write for Emitter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the pointer and the length are those of a live slice, which the host only reads during the call.
        unsafe { emit(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct HostClock(Instant);

impl Clock for HostClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub fn output() -> Output {
    Output::new(Emitter)
}

pub fn engine() -> Result<Engine, OptionError> {
    Engine::new(Arc::new(HostClock(Instant::now())))
}

pub fn identity() -> Identity {
    Identity { name: format!("Tabiya {}", env!("CARGO_PKG_VERSION")), author: "the Tabiya team".into() }
}
