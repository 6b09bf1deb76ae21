//! Describing an engine and starting it as a player.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::spec::{Reader, Spec};
use match_runner::fault::Fault;
use match_runner::internal::InternalPlayer;
use match_runner::limits::{Limits, TimeControl, seconds};
use match_runner::player::Player;
use match_runner::process::Launch;
use match_runner::stop::StopFlag;
use match_runner::uci::{UciPlayer, UciSetup};
use match_runner::xboard::{XboardPlayer, XboardSetup};

/// How to talk to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Uci,
    Xboard,
    /// This program's own engine, without a process.
    Internal,
}

/// One engine of an experiment.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    pub name: String,
    pub protocol: Protocol,
    pub launch: Launch,
    pub options: BTreeMap<String, String>,
    pub limits: Limits,
    pub ponder: bool,
    pub handshake: Duration,
    /// A rating known from elsewhere: an anchor for rating lists.
    pub rating: Option<f64>,
}

impl EngineSpec {
    /// Reads an engine's table laid over what holds for each.
    pub fn read(own: Spec, each: &Spec, place: &str) -> Result<Self, String> {
        let mut spec = each.clone();
        spec.overlay(own);
        let mut reader = spec.reader(place);
        let protocol = match reader.text("proto")?.as_deref() {
            None | Some("uci") => Protocol::Uci,
            Some("xboard") => Protocol::Xboard,
            Some("internal") => Protocol::Internal,
            Some(other) => {
                return Err(format!("{place}: proto = '{other}', expected uci, xboard or internal"));
            }
        };
        let command = match (reader.text("cmd")?, protocol) {
            (None, Protocol::Internal) => PathBuf::from("tabiya"),
            (Some(_), Protocol::Internal) => {
                return Err(format!("{place}: proto=internal is this program's own engine and has no cmd"));
            }
            (Some(command), _) => PathBuf::from(command),
            (None, _) => {
                return Err(format!("{place}: no command, expected cmd=path/to/engine or proto=internal"));
            }
        };
        let name = reader.text("name")?.unwrap_or_else(|| {
            command
                .file_name()
                .map_or_else(|| "engine".to_owned(), |name| name.to_string_lossy().into_owned())
        });
        // It stands in lines and tables of the terminal, in games and in reports.
        let name = common::escape_control(&name);
        let arguments = reader.words("args")?;
        let directory = reader.text("dir")?.map(PathBuf::from);
        let options = reader.map("options")?;
        let breaks = |text: &str| text.contains(['\n', '\r']);
        if let Some((name, _)) = options.iter().find(|(name, value)| breaks(name) || breaks(value)) {
            let name = common::escape_control(name);
            return Err(format!("{place}: option '{name}' has a line break, expected one line"));
        }
        let limits = read_limits(&mut reader, place)?;
        let ponder = reader.switch("ponder")?;
        let handshake = read_seconds(&mut reader, "handshake", place)?.unwrap_or(Duration::from_secs(10));
        let rating = reader.number("rating")?;
        reader.finish()?;
        let launch = Launch { command: resolve(&command), arguments, directory };
        Ok(Self { name, protocol, launch, options, limits, ponder, handshake, rating })
    }

    /// Starts the engine.
    pub fn start(&self, stop: &StopFlag) -> Result<Box<dyn Player>, Fault> {
        match self.protocol {
            Protocol::Internal => Ok(Box::new(InternalPlayer::start(&self.name, &self.options, stop)?)),
            Protocol::Uci => {
                let setup = UciSetup {
                    name: self.name.clone(),
                    launch: self.launch.clone(),
                    options: self.options.clone(),
                    ponder: self.ponder,
                    handshake: self.handshake,
                };
                Ok(Box::new(UciPlayer::start(&setup, stop)?))
            }
            Protocol::Xboard => {
                let setup = XboardSetup {
                    name: self.name.clone(),
                    launch: self.launch.clone(),
                    options: self.options.clone(),
                    limits: self.limits,
                    ponder: self.ponder,
                    handshake: self.handshake,
                };
                Ok(Box::new(XboardPlayer::start(&setup, stop)?))
            }
        }
    }

    /// The file whose content decides how the engine plays.
    pub fn binary(&self) -> PathBuf {
        let own = std::env::current_exe().ok().filter(|_| self.protocol == Protocol::Internal);
        own.unwrap_or_else(|| self.launch.command.clone())
    }

    /// Threads the engine is told to use.
    pub fn threads(&self) -> u32 {
        let set = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        set.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// The settings a reader of results wants to see beside the name, as fastchess prints them.
    pub fn conditions(&self) -> String {
        self.condition_parts().join(", ")
    }

    /// The limits, the threads and the table of [`Self::conditions`].
    fn condition_parts(&self) -> [String; 3] {
        let hash = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("hash"));
        let hash = hash.map_or_else(
            || "default hash".to_owned(),
            |(_, value)| format!("{}MB", common::escape_control(value)),
        );
        [self.limits.to_string(), format!("{}t", self.threads()), hash]
    }
}

/// The same of several engines: what they share is said once, what differs one after the other.
pub fn conditions_of(engines: &[EngineSpec]) -> String {
    let parts: Vec<[String; 3]> = engines.iter().map(EngineSpec::condition_parts).collect();
    let told = |place: usize| {
        let mut values: Vec<&str> = Vec::new();
        for part in &parts {
            if !values.contains(&part[place].as_str()) {
                values.push(&part[place]);
            }
        }
        values.join("/")
    };
    [told(0), told(1), told(2)].join(", ")
}

/// A command with a folder in it is taken from where we are now, not from the engine's own folder.
fn resolve(command: &std::path::Path) -> PathBuf {
    if command.components().count() > 1 && command.is_relative() {
        std::path::absolute(command).unwrap_or_else(|_| command.to_owned())
    } else {
        command.to_owned()
    }
}

/// Reads the limits of a table: `tc`, `st`, `depth`, `nodes`, `margin`.
pub fn read_limits(reader: &mut Reader, place: &str) -> Result<Limits, String> {
    let clock: Option<TimeControl> = reader.explained("tc")?;
    let movetime = read_seconds(reader, "st", place)?;
    let depth = reader.value("depth", "a whole number of plies")?;
    let nodes = reader.value("nodes", "a whole number of nodes")?;
    let margin: Option<u64> = reader.value("margin", "a whole number of milliseconds")?;
    let limits = Limits { clock, movetime, depth, nodes, margin: Duration::from_millis(margin.unwrap_or(0)) };
    if depth == Some(0) || nodes == Some(0) || movetime.is_some_and(|time| time.is_zero()) {
        return Err(format!("{place}: a limit of zero leaves nothing to think with"));
    }
    if !limits.is_bounded() {
        return Err(format!("{place}: no limit, expected tc=8+0.08, st=0.1, nodes=10000 or depth=8"));
    }
    Ok(limits)
}

/// Seconds as a duration.
pub fn read_seconds(reader: &mut Reader, name: &str, place: &str) -> Result<Option<Duration>, String> {
    let Some(text) = reader.text(name)? else { return Ok(None) };
    let wrong = || format!("{place}: {name} = '{text}', expected seconds");
    seconds(&text).map(Some).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(own: &str, each: &str) -> Result<EngineSpec, String> {
        EngineSpec::read(Spec::from_toml(own).unwrap(), &Spec::from_toml(each).unwrap(), "engine 1")
    }

    #[test]
    fn own_settings_lie_over_those_of_each() {
        let engine = read(
            "cmd = \"/opt/new\"\noptions = { Hash = 64 }\nnodes = 5000",
            "tc = \"8+0.08\"\noptions = { Hash = 16, Threads = 2 }",
        )
        .unwrap();
        assert_eq!(engine.name, "new");
        assert_eq!((engine.options["Hash"].as_str(), engine.threads()), ("64", 2));
        assert_eq!(engine.conditions(), "8+0.08, 5000 nodes, 2t, 64MB");
    }

    #[test]
    fn a_name_and_its_conditions_stay_on_one_line() {
        let engine =
            read("cmd = \"x\"\nname = \"a\\nElo: 900\"\nnodes = 5\noptions = { Hash = \"1\\t2\" }", "")
                .unwrap();
        assert_eq!(engine.name, "a\\nElo: 900");
        assert_eq!(engine.conditions(), "5 nodes, 1t, 1\\t2MB");
        assert_eq!(engine.options["Hash"], "1\t2");
        assert_eq!(read("cmd = \"/opt/new\\u001b[2J\"\nnodes = 5", "").unwrap().name, "new\\u{1b}[2J");
    }

    #[test]
    fn mistakes_are_told() {
        for (own, reason) in [
            ("name = \"x\"\nnodes = 1", "no command"),
            ("cmd = \"x\"", "no limit"),
            ("cmd = \"x\"\ntc = \"soon\"", "time control 'soon'"),
            ("cmd = \"x\"\nnodes = 0", "zero"),
            ("cmd = \"x\"\nnodes = 5\nhash = 5", "unknown key 'hash'"),
            ("cmd = \"x\"\nnodes = 5\nrating = \"nan\"", "rating = 'NaN', expected a number"),
            ("cmd = \"x\"\nnodes = 5\nrating = \"1e999\"", "rating = 'inf', expected a number"),
            ("cmd = \"x\"\nnodes = 5\nproto = \"telnet\"", "expected uci, xboard or internal"),
            // The second line would be a command of its own.
            ("cmd = \"x\"\nnodes = 5\noptions = { Hash = \"1\\nquit\" }", "'Hash' has a line break"),
            ("cmd = \"x\"\nnodes = 5\noptions = { \"A\\rquit\" = \"1\" }", "'A\\rquit' has a line break"),
        ] {
            let error = read(own, "").unwrap_err();
            assert!(error.contains(reason), "{own}: {error}");
        }
    }
}
