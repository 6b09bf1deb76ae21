//! One request at a time (safety rule 11), and moves before everything else that waits.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    busy: bool,
    /// Moves that wait.
    urgent: usize,
}

/// Held from the first byte of a request to the last byte of its answer, and through every wait the site asks for.
pub struct Pass<'a>(&'a Gate);

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For everything but a move: waits until no move waits.
    pub fn enter(&self) -> Pass<'_> {
        let mut state = self.state();
        while state.busy || state.urgent > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy = true;
        Pass(self)
    }

    /// For a move: from now on nothing else enters. [`Announced::enter`] waits for what is under way.
    pub fn announce(&self) -> Announced<'_> {
        self.state().urgent += 1;
        Announced(self)
    }

    /// Whether a move waits.
    pub fn has_announced(&self) -> bool {
        self.state().urgent > 0
    }
}

/// A move that is about to be sent.
pub struct Announced<'a>(&'a Gate);

impl<'a> Announced<'a> {
    /// Waits for what is under way, but not longer than this; whether it has ended.
    pub fn wait(&self, limit: Duration) -> bool {
        let state = self.0.state();
        let waited = self.0.changed.wait_timeout_while(state, limit, |state| state.busy);
        !waited.unwrap_or_else(PoisonError::into_inner).0.busy
    }

    pub fn enter(self) -> Pass<'a> {
        let gate = self.0;
        let mut state = gate.state();
        while state.busy {
            state = gate.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy = true;
        Pass(gate)
        // The announcement ends when `self` is dropped, with the gate already taken.
    }
}

impl Drop for Announced<'_> {
    fn drop(&mut self) {
        self.0.state().urgent -= 1;
        self.0.changed.notify_all();
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.state().busy = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    #[test]
    fn a_move_that_waits_goes_before_others_that_wait() {
        let gate = Arc::new(Gate::default());
        let (done, order) = channel();
        let first = gate.enter();
        let announced = gate.announce();
        let other = std::thread::spawn({
            let (gate, done) = (Arc::clone(&gate), done.clone());
            move || {
                let _pass = gate.enter();
                done.send("chat").unwrap();
            }
        });
        drop(first);
        // Time for the other to enter, were it not for the announcement.
        std::thread::sleep(Duration::from_millis(20));
        let pass = announced.enter();
        done.send("move").unwrap();
        drop(pass);
        other.join().unwrap();
        drop(done);
        assert_eq!(order.iter().collect::<Vec<_>>(), ["move", "chat"]);
    }
}
