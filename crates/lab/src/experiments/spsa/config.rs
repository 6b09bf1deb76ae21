//! What a tuning run is, read from its description.

use std::time::Duration;

use super::step::{self, Parameter, Perturbation};
use experiment::conditions::{read_adjudication, read_openings, read_tables};
use experiment::engine::{EngineSpec, read_seconds};
use experiment::spec::{Node, Spec};
use match_runner::game::Conditions;
use match_runner::openings::Openings;

/// The command's name.
pub const KIND: &str = "spsa";

/// Parts of the description that may change when a run is resumed. The number of iterations may not: every step's
/// size depends on it.
pub const VOLATILE: [&str; 2] = ["concurrency", "patience"];

/// A tuning run, checked.
#[derive(Clone, Debug)]
pub struct Tuning {
    pub name: String,
    pub engine: EngineSpec,
    pub parameters: Vec<Parameter>,
    pub iterations: u64,
    /// Openings played twice in each iteration.
    pub pairs: u64,
    pub seed: u64,
    pub openings: Openings,
    pub openings_name: String,
    pub conditions: Conditions,
    pub concurrency: usize,
}

/// What a row of the store says.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Points of the engine perturbed upwards less those of the other.
    pub result: f64,
    /// Absent in stores of earlier versions.
    pub signs: Option<String>,
}

impl Tuning {
    /// Reads and checks a description; opens the book.
    pub fn read(spec: &Spec) -> Result<Self, String> {
        Self::read_with(spec, true)
    }

    /// The same for games already played: the book is not needed and may be gone.
    pub fn recall(spec: &Spec) -> Result<Self, String> {
        Self::read_with(spec, false)
    }

    fn read_with(spec: &Spec, to_play: bool) -> Result<Self, String> {
        let mut reader = spec.clone().reader(KIND);
        let _ = reader.text("experiment")?;
        let each = reader.table("each")?.unwrap_or_default();
        let mut engines = reader.tables("engine")?;
        let mut own = match (engines.pop(), engines.is_empty()) {
            (own, true) => own.unwrap_or_default(),
            (_, false) => return Err(format!("{KIND}: several engines, expected the one to tune")),
        };
        if own.text("cmd").is_none() && own.text("proto").is_none() && each.text("proto").is_none() {
            own.set("proto", Node::Text("internal".to_owned()));
        }
        let engine = EngineSpec::read(own, &each, &format!("{KIND}: engine"))?;
        let iterations = reader.value("iterations", "a whole number")?.unwrap_or(5000);
        let pairs = reader.value("pairs", "a whole number")?.unwrap_or(1);
        let rate = step::fitting_rate(iterations, pairs);
        let parameters = reader.tables("parameter")?.into_iter().map(|spec| read_parameter(spec, rate));
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        check_parameters(&parameters)?;
        let seed = reader.value("seed", "a whole number")?.unwrap_or(1);
        let (openings, openings_name) = read_openings(reader.table("openings")?, seed, KIND, to_play)?;
        let adjudication = read_adjudication(&mut reader)?;
        let tables = read_tables(reader.table("tables")?, KIND, to_play)?;
        let patience = read_seconds(&mut reader, "patience", KIND)?.unwrap_or(Duration::from_secs(60));
        let concurrency = reader.value("concurrency", "a whole number")?.unwrap_or(1_usize);
        let name = reader.text("name")?.unwrap_or_else(|| format!("Tuning of {}", engine.name));
        reader.finish()?;
        if iterations == 0 || pairs == 0 || concurrency == 0 {
            return Err(format!("{KIND}: iterations, pairs and concurrency must be at least one"));
        }
        let conditions =
            Conditions { adjudication, tables, chess960: false, patience, forgive_stolen: false };
        Ok(Self {
            name,
            engine,
            parameters,
            iterations,
            pairs,
            seed,
            openings,
            openings_name,
            conditions,
            concurrency,
        })
    }

    /// Iteration `number` with these signs.
    pub fn perturbation(&self, number: u64, signs: &str) -> Perturbation {
        Perturbation::of(&self.parameters, number, self.iterations, signs)
    }

    /// Where the values stand before the first game and after every iteration.
    pub fn course(&self, played: &[Iteration]) -> Vec<Vec<f64>> {
        let mut values: Vec<f64> = self.parameters.iter().map(|parameter| parameter.start).collect();
        let mut course = vec![values.clone()];
        for (number, iteration) in (0_u64..).zip(played) {
            let signs = iteration
                .signs
                .clone()
                .unwrap_or_else(|| step::unrecorded_signs(self.seed, number, self.parameters.len()));
            self.perturbation(number, &signs).apply(&self.parameters, &mut values, iteration.result);
            course.push(values.clone());
        }
        course
    }

    /// The line under a report's title.
    pub fn heading(&self) -> String {
        format!(
            "{} parameters of {} ({}, {}), {} iterations of {} games",
            self.parameters.len(),
            self.engine.name,
            self.engine.conditions(),
            self.openings_name,
            self.iterations,
            2 * self.pairs
        )
    }
}

fn read_parameter(spec: Spec, fitting_rate: f64) -> Result<Parameter, String> {
    let name = common::escape_control(spec.text("name").unwrap_or("without a name"));
    let place = format!("{KIND}: parameter {name}");
    let mut reader = spec.reader(&place);
    let mut number = |key: &str| reader.value::<f64>(key, "a number");
    let (start, least, most) = (number("start")?, number("least")?, number("most")?);
    // `shake` and `rate` are the keys of earlier files and stores.
    let (c_end, shake) = (number("c_end")?, number("shake")?);
    let (r_end, rate) = (number("r_end")?, number("rate")?);
    let _ = reader.text("name")?;
    reader.finish()?;
    let (Some(start), Some(least), Some(most)) = (start, least, most) else {
        return Err(format!("{place}: expected start, least and most"));
    };
    // 5 % of the range changes results and stays near the optimum.
    let c_end = c_end.or(shake).unwrap_or((most - least) / 20.0);
    let r_end = r_end.or(rate).unwrap_or(fitting_rate);
    let is_sane = least < most && (least..=most).contains(&start) && c_end > 0.0 && r_end > 0.0;
    if !is_sane {
        return Err(format!("{place}: expected least <= start <= most, and c_end and r_end above zero"));
    }
    Ok(Parameter { name, start, least, most, c_end, r_end })
}

fn check_parameters(parameters: &[Parameter]) -> Result<(), String> {
    if parameters.is_empty() {
        return Err(format!("{KIND}: nothing to tune, expected tables [[parameter]]"));
    }
    for (place, parameter) in parameters.iter().enumerate() {
        if parameters[..place].iter().any(|other| other.name == parameter.name) {
            return Err(format!("{KIND}: parameter {} is given twice", parameter.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "iterations = 10\n[each]\nnodes = 100\n[[parameter]]\nname = \"futility\"\nstart = 90\nleast = 30\nmost = 200\n";

    fn read(text: &str) -> Result<Tuning, String> {
        Tuning::read(&Spec::from_toml(text).unwrap())
    }

    #[test]
    fn the_engine_is_our_own_unless_said_otherwise() {
        let tuning = read(ONE).unwrap();
        assert_eq!(tuning.engine.name, "tabiya");
        assert_eq!(tuning.parameters[0].c_end, 8.5);
        assert_eq!(tuning.course(&[]), [[90.0]]);
        let played = [2.0, -1.0].map(|result| Iteration { result, signs: Some("+".to_owned()) });
        assert_eq!(tuning.course(&played).len(), 3);
    }

    #[test]
    fn mistakes_are_told() {
        let twice = format!("{ONE}{}", &ONE[ONE.find("[[").unwrap()..]);
        for (text, reason) in [
            ("[each]\nnodes = 5\n", "nothing to tune"),
            (twice.as_str(), "given twice"),
            (&ONE.replace("start = 90", "start = 300"), "least <= start <= most"),
            (&ONE.replace("least = 30\n", ""), "expected start, least and most"),
            (&ONE.replace("iterations = 10", "iterations = 0"), "at least one"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
