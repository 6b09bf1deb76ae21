//! Without threads: the host calls `tabiya_step` again and again, and during a search the clock that it reads lets the page hear
//! of it.

use crate::host;
use crate::texts::serve;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::Duration;
use web::hosted::Host;
use web::turns::{Interruption, NextStep, Turns};

/// How often the page hears of a running search.
const TELL_INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    static PAGE: OnceCell<(Host, Turns)> = const { OnceCell::new() };
    static TOLD: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The clock was read: during a search the page hears of it.
pub fn clock_read(now: Duration) {
    if now.saturating_sub(TOLD.get()) >= TELL_INTERVAL {
        TOLD.set(now);
        with_turns(Turns::during_search);
    }
}

fn with_turns<T>(work: impl FnOnce(&Turns) -> T) -> Option<T> {
    PAGE.with(|page| page.get().map(|(_, turns)| work(turns)))
}

pub fn open(board: Host) -> bool {
    let turns = board.open_in_turns(Arc::new(host::Page));
    PAGE.with(|page| page.set((board, turns)).is_ok())
}

pub fn line(text: &str) -> bool {
    with_turns(|turns| turns.send(text)).is_some()
}

#[allow(clippy::needless_pass_by_value)] // as with threads
pub fn request(request: Box<[u8]>) -> bool {
    PAGE.with(|page| page.get().map(|(board, _)| serve(board, &request))).is_some()
}

/// The milliseconds until there is more to do: 0 at once, -1 when a command has come.
pub fn step() -> i32 {
    match with_turns(Turns::step) {
        Some(NextStep::Now) => 0,
        Some(NextStep::After(time)) => i32::try_from(time.as_millis()).unwrap_or(i32::MAX).saturating_add(1),
        Some(NextStep::OnCommand) | None => -1,
    }
}

pub fn interrupt(ends: bool) {
    with_turns(|turns| turns.interrupt(if ends { Interruption::Stop } else { Interruption::Pause }));
}
