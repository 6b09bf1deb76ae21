//! What the parts of a session need: the server's state, and where their searches report to.

use crate::session_input::SessionInput;
use crate::shared::Shared;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How often the page is told about a running search.
pub const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Counts a search from its start until this is dropped, however it ends.
pub struct CountedSearch(Arc<AtomicUsize>);

impl CountedSearch {
    pub fn new(count: &Arc<AtomicUsize>) -> CountedSearch {
        count.fetch_add(1, Ordering::Relaxed);
        CountedSearch(Arc::clone(count))
    }
}

impl Drop for CountedSearch {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub struct SessionContext {
    pub shared: Arc<Shared>,
    /// Tells this tab from others.
    pub tab: u32,
    pub inputs: Sender<SessionInput>,
}
