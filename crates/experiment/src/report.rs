//! The parts of a report that every kind of experiment has.

use charts::html::Page;

use crate::store::{Store, StoreError};

/// Where the experiment ran, and what went wrong there.
pub fn environment(page: &mut Page, store: &Store) -> Result<(), StoreError> {
    page.heading("Where it ran");
    let rows: Vec<Vec<String>> =
        store.environment()?.into_iter().map(|(name, value)| vec![name, value]).collect();
    page.table(&["fact", "value"], &rows);
    let events = store.events()?;
    if !events.is_empty() {
        page.heading("Incidents");
        let shown = events.iter().rev().take(50);
        let rows: Vec<Vec<String>> = shown
            .map(|event| vec![event.kind.clone(), event.subject.clone(), event.detail.clone()])
            .collect();
        page.table(&["what", "who", "detail"], &rows);
        if events.len() > 50 {
            page.paragraph(&format!(
                "The last 50 of {} incidents; 'lab export DIR json' lists all.",
                events.len()
            ));
        }
    }
    Ok(())
}
