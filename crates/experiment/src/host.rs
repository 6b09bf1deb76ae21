//! How much of a run the host of a virtual machine took away: whoever reads its times should know.

use std::time::Instant;

use crate::session::Session;
use crate::store::{Store, StoreError};
use match_runner::stolen::Stolen;

/// Less than this share of the machine is not worth a word.
const WORTH_TELLING: f64 = 0.005;

/// How the fact is called, before the number of the run.
const FACT: &str = "host, run";

/// Watches the host from the beginning of a run to its end.
pub struct HostWatch {
    begun: Instant,
    before: Option<Stolen>,
}

impl HostWatch {
    pub fn begin() -> Self {
        Self { begun: Instant::now(), before: Stolen::read() }
    }

    /// Tells and records what was taken since the beginning, if it was much. A run that goes on later has a fact of its own.
    pub fn tell(&self, store: &Store, session: &mut Session<'_>) -> Result<(), String> {
        let (Some(before), Some(now)) = (&self.before, Stolen::read()) else { return Ok(()) };
        let share = now.share_since(before, self.begun.elapsed());
        if share < WORTH_TELLING {
            return Ok(());
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let detail =
            format!("the host took {:.1} % of the machine away during {seconds:.0} s", share * 100.0);
        session.say(&detail);
        let text = |error: StoreError| error.to_string();
        let earlier = store.environment().map_err(text)?;
        let number = 1 + earlier.iter().filter(|(name, _)| name.starts_with(FACT)).count();
        store.note_environment(&format!("{FACT} {number}"), &detail).map_err(text)?;
        Ok(())
    }
}
