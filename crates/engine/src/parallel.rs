//! Options about searching together.

use crate::Engine;
use crate::options::OptionError;
use crate::settings::Settings;
use kernel::sched::{Parallel, VirtualSettings};
use search::SearchPoolSettings;

/// The ways of searching together, by name, as the option offers them.
pub(crate) const WAYS: [&str; 4] =
    [Parallel::Lazy.name(), Parallel::Ybwc.name(), Parallel::Abdada.name(), Parallel::Teams.name()];

/// Changes how the pool works together; on failure the settings show what the system gave.
pub(crate) fn change(engine: &mut Engine, change: impl FnOnce(&mut Settings)) -> Result<(), OptionError> {
    engine.finish();
    let mut settings = engine.settings.clone();
    change(&mut settings);
    let result = engine.searcher.set_pool_settings(settings.pool());
    if settings.virtual_threads == 0 {
        settings.threads = engine.searcher.workers();
    }
    engine.settings = settings;
    result
}

impl Settings {
    /// How the pool works together.
    pub(crate) fn pool(&self) -> SearchPoolSettings {
        let virtual_time = (self.virtual_threads > 0)
            .then_some(VirtualSettings { workers: self.virtual_threads, ..self.virtual_time });
        SearchPoolSettings { threads: self.threads, virtual_time, ..self.pool }
    }
}
