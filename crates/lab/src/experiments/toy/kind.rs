//! Flips coins and reports the share of heads with its 95 % interval.

use charts::html::Page;
use common::Random;
use experiment::flags::Flag;
use experiment::kind::{Experiment, Plan};
use experiment::report::environment;
use experiment::session::{Finish, Session};
use experiment::spec::Spec;
use experiment::store::{Row, Store};
use serde_json::{Map, json};
use stats::proportion::wilson;

/// The kind.
pub const TOY: Toy = Toy;

/// Coin flips.
#[derive(Debug)]
pub struct Toy;

/// A checked description.
#[derive(Debug)]
struct Flips {
    name: String,
    count: u64,
    seed: u64,
}

const FLAGS: &[Flag] = &[
    Flag::value("flips", "N", "coins to flip (default 10)"),
    Flag::value("seed", "N", "seed of the coins (default 1)"),
];

impl Experiment for Toy {
    fn kind(&self) -> &'static str {
        "toy"
    }

    fn summary(&self) -> &'static str {
        "coin flips, to show how a kind is added"
    }

    fn example(&self) -> &'static str {
        "tabiya lab toy --flips 100 --out results/toy"
    }

    fn flags(&self) -> &'static [Flag] {
        FLAGS
    }

    fn volatile(&self) -> &'static [&'static str] {
        &["flips"]
    }

    fn read(&self, spec: &Spec, _stored: Option<&Store>) -> Result<Box<dyn Plan>, String> {
        let mut reader = spec.clone().reader(self.kind());
        let _ = reader.text("experiment")?;
        let count = reader.value("flips", "a whole number")?.unwrap_or(10);
        let seed = reader.value("seed", "a whole number")?.unwrap_or(1);
        let name = reader.text("name")?.unwrap_or_else(|| "Coin flips".to_owned());
        reader.finish()?;
        Ok(Box::new(Flips { name, count, seed }))
    }
}

impl Flips {
    /// Heads and flips in the store.
    fn count(store: &Store) -> Result<(usize, usize), String> {
        let rows = store.rows().map_err(|error| error.to_string())?;
        Ok((rows.iter().filter(|row| row.number("heads") == Some(1.0)).count(), rows.len()))
    }
}

impl Plan for Flips {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
        let text = |error: experiment::store::StoreError| error.to_string();
        for number in 0..self.count {
            if session.stop.is_raised() {
                return Ok(Finish::Interrupted);
            }
            let task = format!("flip {number:06}");
            if store.has_row(&task).map_err(text)? {
                continue;
            }
            let heads = Random::of_game(self.seed, 0, number).below(2);
            let data = Map::from_iter([("heads".to_owned(), json!(heads))]);
            store.record_row(&Row { task, data }).map_err(text)?;
        }
        Ok(Finish::Complete)
    }

    fn table(&self, store: &Store) -> Result<String, String> {
        let (heads, flips) = Self::count(store)?;
        Ok(format!("{heads} heads in {flips} flips\n"))
    }

    fn render(&self, store: &Store) -> Result<String, String> {
        let (heads, flips) = Self::count(store)?;
        let mut page = Page::new(&self.name, "toy");
        let (low, high) = wilson(heads, flips);
        page.conclusion(&[format!("{heads} heads in {flips} flips, 95 % interval {low:.2} to {high:.2}.")]);
        environment(&mut page, store).map_err(|error| error.to_string())?;
        Ok(page.finish())
    }
}
