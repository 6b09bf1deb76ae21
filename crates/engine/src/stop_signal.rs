//! The order to stop, for work that takes several searches.

use kernel::Control;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Unlike the stop flag of a [`Control`], it stays raised from one search to the next.
#[derive(Default, Debug)]
pub(crate) struct StopSignal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    is_raised: bool,
    /// Searches outside the engine's own pool.
    watched: Option<Arc<Control>>,
}

impl StopSignal {
    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn raise(&self) {
        self.with(|state| {
            state.is_raised = true;
            if let Some(control) = &state.watched {
                control.stop();
            }
        });
        self.changed.notify_all();
    }

    pub fn reset(&self) {
        self.with(|state| *state = State::default());
    }

    pub fn is_raised(&self) -> bool {
        self.with(|state| state.is_raised)
    }

    /// From now on a raised signal stops the searches of this control as well.
    pub fn watch(&self, control: Arc<Control>) {
        self.with(|state| state.watched = Some(control));
    }

    /// Sleeps so long, or until the signal is raised. WebAssembly without threads cannot be notified: there the host looks
    /// for orders in each short sleep.
    #[cfg(target_family = "wasm")]
    pub fn wait(&self, time: Duration) {
        const STEP: Duration = Duration::from_millis(5);
        let mut left = time;
        while !left.is_zero() && !self.is_raised() {
            std::thread::sleep(left.min(STEP));
            left = left.saturating_sub(STEP);
        }
    }

    /// Sleeps so long, or until the signal is raised.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&self, time: Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.changed.wait_timeout_while(state, time, |state| !state.is_raised);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_raised_signal_ends_the_wait_and_is_not_lost() {
        let signal = StopSignal::default();
        signal.raise();
        let began = Instant::now();
        signal.wait(Duration::from_secs(60));
        assert!(began.elapsed() < Duration::from_secs(30));
        signal.reset();
        assert!(!signal.is_raised());
        signal.wait(Duration::from_millis(1));
    }

    #[test]
    fn a_watched_control_is_stopped_too() {
        let (signal, control) = (StopSignal::default(), Arc::new(Control::new()));
        signal.watch(Arc::clone(&control));
        signal.raise();
        assert!(control.is_stopped());
    }
}
