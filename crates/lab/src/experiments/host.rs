//! How much of a run the host of a virtual machine took away: whoever reads its times should know.

use std::time::Instant;

use super::Session;
use crate::runner::stolen::Stolen;
use crate::store::{Event, Store};

/// Less than this share of the machine is not worth a word.
const WORTH_TELLING: f64 = 0.005;

/// Watches the host from the beginning of a run to its end.
pub(super) struct HostWatch {
    begun: Instant,
    before: Option<Stolen>,
}

impl HostWatch {
    pub(super) fn begin() -> Self {
        Self { begun: Instant::now(), before: Stolen::read() }
    }

    /// Tells and records what was taken since the beginning, if it was much.
    pub(super) fn tell(&self, store: &Store, session: &mut Session<'_>) -> Result<(), String> {
        let (Some(before), Some(now)) = (&self.before, Stolen::read()) else { return Ok(()) };
        let share = now.share_since(before, self.begun.elapsed());
        if share < WORTH_TELLING {
            return Ok(());
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let detail =
            format!("the host took {:.1} % of the machine away during {seconds:.0} s", share * 100.0);
        session.say(&detail);
        let event = Event { kind: "stolen time".to_owned(), subject: "machine".to_owned(), detail };
        store.record_event(&event).map_err(|error| error.to_string())
    }
}
