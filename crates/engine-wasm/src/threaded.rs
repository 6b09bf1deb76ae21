//! With threads: lines go to a thread that converses as the native program does. One module is one engine.

use crate::host;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

static LINES: Mutex<Option<Sender<Vec<u8>>>> = Mutex::new(None);

/// Engines are made on this thread, and WebAssembly has no guard below a stack: one that is too small overwrites other memory.
const STACK_BYTES: usize = 8 << 20;

/// Lines as they come, as a stream of bytes.
struct Lines {
    inbox: Receiver<Vec<u8>>,
    pending: Vec<u8>,
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.pending.is_empty() {
            match self.inbox.recv() {
                Ok(bytes) => self.pending = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = out.len().min(self.pending.len());
        out[..count].copy_from_slice(&self.pending[..count]);
        self.pending.drain(..count);
        Ok(count)
    }
}

pub fn start() -> Result<(), String> {
    let (sender, inbox) = channel();
    let reader = BufReader::new(Lines { inbox, pending: Vec::new() });
    std::thread::Builder::new()
        .name("conversation".into())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let output = host::output();
            match host::engine() {
                // The host ends the module when the conversation is over.
                Ok(engine) => drop(protocol::serve(engine, &host::identity(), reader, &output)),
                Err(error) => output.line(format!("info string {error}")),
            }
        })
        .map_err(|error| error.to_string())?;
    *LINES.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
    Ok(())
}

pub fn line(text: &str) -> bool {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(b'\n');
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.as_ref().is_some_and(|lines| lines.send(bytes).is_ok())
}

/// Here a `stop` is a line like any other.
pub fn interrupt(_order: i32) {}
