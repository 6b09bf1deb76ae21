//! Without threads: a line is handled, and its search done, before the call returns. One module is one engine.

use crate::host;
use common::background;
use engine::Interrupter;
use protocol::Conversation;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `None` before the start and after `quit`.
static CONVERSATION: Mutex<Option<Conversation>> = Mutex::new(None);
/// Apart from the conversation, which is busy while a search runs.
static INTERRUPTER: Mutex<Option<Interrupter>> = Mutex::new(None);

fn lock<T>(cell: &Mutex<T>) -> MutexGuard<'_, T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn start() -> Result<(), String> {
    background::do_without_threads();
    let engine = host::engine().map_err(|error| error.to_string())?;
    *lock(&CONVERSATION) = Some(Conversation::begin(engine, &host::identity(), &host::output()));
    Ok(())
}

pub fn line(text: &str) -> bool {
    // A host that sends a line while a search runs is answered with silence, not with a panic.
    let Ok(mut conversation) = CONVERSATION.try_lock() else { return true };
    let Some(speaking) = conversation.as_mut() else { return false };
    *lock(&INTERRUPTER) = speaking.interrupter();
    let goes_on = speaking.answer(text);
    while background::run_next() {}
    if !goes_on {
        *conversation = None;
    }
    goes_on
}

pub fn interrupt(order: i32) {
    let interrupter = lock(&INTERRUPTER).clone();
    match (interrupter, order) {
        (Some(interrupter), 1) => interrupter.stop(),
        (Some(interrupter), 2) => interrupter.ponder_hit(),
        _ => {}
    }
}
