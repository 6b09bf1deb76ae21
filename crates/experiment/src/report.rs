//! The parts of a report that every kind of experiment has.

use charts::html::Page;

use crate::store::{Store, StoreError};

/// Where the experiment ran, and what went wrong there.
pub fn environment(page: &mut Page, store: &Store) -> Result<(), StoreError> {
    page.heading("Where it ran");
    let rows: Vec<Vec<String>> =
        folded(&store.environment()?).into_iter().map(|(name, value)| vec![name, value]).collect();
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

/// An engine and what is said of it: `engine NAME: FACT`.
fn of_engine(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("engine ")?.rsplit_once(": ")
}

/// Facts that all engines share are told once; of a long list of options only the first engine's is told whole.
fn folded(facts: &[(String, String)]) -> Vec<(String, String)> {
    let alike = |wanted: &str| -> Vec<(&str, &str)> {
        let named = facts.iter().filter_map(|(name, value)| Some((of_engine(name)?, value.as_str())));
        named.filter(|((_, fact), _)| *fact == wanted).map(|((engine, _), value)| (engine, value)).collect()
    };
    let mut told = Vec::new();
    for (name, value) in facts {
        let Some((engine, fact)) = of_engine(name) else {
            told.push((name.clone(), value.clone()));
            continue;
        };
        let others = alike(fact);
        let is_first = others.first().is_some_and(|first| first.0 == engine);
        if others.len() > 1 && others.iter().all(|other| other.1 == value) {
            if is_first {
                told.push((format!("every engine: {fact}"), value.clone()));
            }
        } else if fact == "all options" && !is_first {
            let (first, known) = others[0];
            let known: Vec<&str> = known.split(", ").collect();
            let other: Vec<&str> = value.split(", ").filter(|option| !known.contains(option)).collect();
            let but = if other.is_empty() { String::new() } else { format!(", but {}", other.join(", ")) };
            told.push((name.clone(), format!("as engine {first}{but}")));
        } else {
            told.push((name.clone(), value.clone()));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixty engines of one program are not described sixty times.
    #[test]
    fn what_engines_share_is_told_once() {
        let facts = [
            ("cores", "2"),
            ("engine a: all options", "Hash=1, Threads=1, About=x, y"),
            ("engine a: binary", "f00"),
            ("engine b: c: all options", "Hash=1, Threads=2, About=x, y"),
            ("engine b: c: binary", "f00"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let told = folded(&facts);
        let told: Vec<(&str, &str)> =
            told.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("cores", "2"),
            ("engine a: all options", "Hash=1, Threads=1, About=x, y"),
            ("every engine: binary", "f00"),
            ("engine b: c: all options", "as engine a, but Threads=2"),
        ];
        assert_eq!(told, expected);
    }

    /// A single engine keeps its name.
    #[test]
    fn one_engine_is_named() {
        let facts = [("engine a: binary".to_owned(), "f00".to_owned())];
        assert_eq!(folded(&facts), facts);
    }
}
