//! What the parts of a session need: the server's state, and where their searches report to.

use crate::session_input::SessionInput;
use crate::shared::Shared;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How often the page is told about a running search.
pub const REPORT_INTERVAL: Duration = Duration::from_millis(100);

pub struct SessionContext {
    pub shared: Arc<Shared>,
    /// Tells this tab from others.
    pub tab: u32,
    pub inputs: Sender<SessionInput>,
}
