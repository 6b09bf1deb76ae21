//! Driving an engine process that speaks the XBoard protocol, version 2.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::info;
use super::limits::{Clock, Limits};
use super::player::{Decision, Insight, Player, Thought, Turn};
use super::process::{EngineProcess, Launch};
use super::stop::StopFlag;

/// Engines that set up large tables say `done=0` and may then take this long.
const SLOW_START: Duration = Duration::from_secs(60);

/// What an XBoard engine is started with.
#[derive(Clone, Debug)]
pub struct XboardSetup {
    pub name: String,
    pub launch: Launch,
    pub options: BTreeMap<String, String>,
    pub limits: Limits,
    pub ponder: bool,
    pub handshake: Duration,
}

/// What the engine said it can do, with the protocol's defaults.
#[derive(Clone, Debug)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    reuse: bool,
    memory: bool,
    smp: bool,
    name: String,
    variants: String,
    options: Vec<String>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            memory: false,
            smp: false,
            name: String::new(),
            variants: "normal".to_owned(),
            options: Vec::new(),
        }
    }
}

/// An XBoard engine ready to play.
#[derive(Debug)]
pub struct XboardPlayer {
    setup: XboardSetup,
    stop: StopFlag,
    process: EngineProcess,
    features: Features,
    /// Moves of the game the engine knows; `None` before it knows the start.
    known: Option<usize>,
    /// In force mode the engine takes moves without answering.
    forced: bool,
    games: u32,
    pings: u32,
}

impl XboardPlayer {
    /// Starts the process, reads its features and sets its options.
    pub fn start(setup: &XboardSetup, stop: &StopFlag) -> Result<Self, Fault> {
        check_limits(&setup.limits)?;
        let process = EngineProcess::start(&setup.launch, stop.clone())?;
        let mut player = Self {
            setup: setup.clone(),
            stop: stop.clone(),
            process,
            features: Features::default(),
            known: None,
            forced: true,
            games: 0,
            pings: 0,
        };
        player.introduce()?;
        player.set_options()?;
        player.wait_until_ready()?;
        Ok(player)
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        self.process.send("xboard")?;
        self.process.send("protover 2")?;
        let mut deadline = Instant::now() + self.setup.handshake;
        while let Some(line) = self.process.next_line(deadline)? {
            let Some(list) = line.text.trim().strip_prefix("feature ") else { continue };
            for (name, value) in features(list) {
                if name == "done" && value == "0" {
                    deadline = Instant::now() + SLOW_START;
                } else if name == "done" {
                    return Ok(());
                }
                let accepted = self.take_feature(&name, &value);
                let answer = if accepted { "accepted" } else { "rejected" };
                self.process.send(&format!("{answer} {name}"))?;
            }
        }
        self.process.kill();
        let patience = self.setup.handshake.as_secs_f64();
        Err(Fault::Start { detail: format!("no 'feature done=1' within {patience:.1} s of 'protover 2'") })
    }

    fn take_feature(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        let features = &mut self.features;
        match name {
            "ping" => features.ping = on,
            "setboard" => features.setboard = on,
            "usermove" => features.usermove = on,
            "time" => features.time = on,
            "reuse" => features.reuse = on,
            "memory" => features.memory = on,
            "smp" => features.smp = on,
            "myname" => value.clone_into(&mut features.name),
            "variants" => value.clone_into(&mut features.variants),
            "option" => {
                let option = value.split(" -").next().unwrap_or(value);
                features.options.push(option.trim().to_owned());
            }
            // Moves are exchanged in coordinates.
            "san" => return false,
            _ => {}
        }
        true
    }

    fn set_options(&mut self) -> Result<(), Fault> {
        for (name, value) in self.setup.options.clone() {
            let command = if name.eq_ignore_ascii_case("hash") && self.features.memory {
                format!("memory {value}")
            } else if name.eq_ignore_ascii_case("threads") && self.features.smp {
                format!("cores {value}")
            } else if self.features.options.iter().any(|option| option.eq_ignore_ascii_case(&name)) {
                if value.is_empty() { format!("option {name}") } else { format!("option {name}={value}") }
            } else {
                let known = self.features.options.join(", ");
                return Err(Fault::Setup { detail: format!("no option '{name}'; the engine has: {known}") });
            };
            self.process.send(&command)?;
        }
        Ok(())
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.process.send(&format!("ping {}", self.pings))?;
        let begin = Instant::now();
        while let Some(line) = self.process.next_line(begin + SLOW_START)? {
            if line.text.trim() == pong {
                return Ok(());
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: begin.elapsed() })
    }

    fn send_move(&mut self, text: &str) -> Result<(), Fault> {
        if self.features.usermove {
            self.process.send(&format!("usermove {text}"))
        } else {
            self.process.send(text)
        }
    }

    fn send_clocks(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let centiseconds = |clock: &Clock| clock.remaining().map(|time| time.as_millis() / 10);
        if !self.features.time {
            return Ok(());
        }
        if let Some(own) = centiseconds(turn.own_clock()) {
            self.process.send(&format!("time {own}"))?;
        }
        match centiseconds(turn.other_clock()) {
            Some(other) => self.process.send(&format!("otim {other}")),
            None => Ok(()),
        }
    }

    /// Gives the engine the start of the game, in force mode.
    fn set_up(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let start = turn.game.start();
        if *start != chess::Position::default() {
            if !self.features.setboard {
                let detail = "it cannot take a position (feature setboard is missing)".to_owned();
                return Err(Fault::Setup { detail });
            }
            let fen = if turn.chess960 { start.to_shredder_fen() } else { start.to_fen() };
            self.process.send(&format!("setboard {fen}"))?;
        }
        self.known = Some(0);
        Ok(())
    }

    /// Brings the engine up to date and makes it think; the answer is timed from the last line sent.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<Instant, Fault> {
        let known = if let Some(known) = self.known {
            known
        } else {
            self.set_up(turn)?;
            0
        };
        let news: Vec<String> = turn.moves.get(known..).unwrap_or_default().to_vec();
        self.known = Some(turn.moves.len());
        if self.forced || news.len() != 1 {
            if !self.forced {
                self.process.send("force")?;
            }
            for text in &news {
                self.send_move(text)?;
            }
            self.send_clocks(turn)?;
            self.forced = false;
            let asked = Instant::now();
            self.process.send("go")?;
            Ok(asked)
        } else {
            self.send_clocks(turn)?;
            let asked = Instant::now();
            self.send_move(&news[0])?;
            Ok(asked)
        }
    }
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.setup.name
    }

    fn identity(&self) -> &str {
        &self.features.name
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        if self.games > 0 && !self.features.reuse {
            *self = Self::start(&self.setup.clone(), &self.stop.clone())?;
        }
        self.games += 1;
        self.process.discard_pending();
        self.process.send("new")?;
        if chess960 {
            if !self.features.variants.split(',').any(|variant| variant.trim() == "fischerandom") {
                return Err(Fault::Setup { detail: "it does not play fischerandom".to_owned() });
            }
            self.process.send("variant fischerandom")?;
        }
        self.process.send("force")?;
        for command in time_commands(&self.setup.limits) {
            self.process.send(&command)?;
        }
        self.process.send("post")?;
        self.process.send(if self.setup.ponder { "hard" } else { "easy" })?;
        self.known = None;
        self.forced = true;
        self.wait_until_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault> {
        self.process.discard_pending();
        let asked = self.ask(turn)?;
        let mut insight = Insight::default();
        let mut offers_draw = false;
        let deadline = asked + turn.last_wait(0);
        while let Some(line) = self.process.next_line(deadline)? {
            let text = line.text.trim();
            let decision = if let Some(mv) = text.strip_prefix("move ") {
                // The engine has played it on its own board.
                self.known = Some(turn.moves.len() + 1);
                Decision::Move(mv.trim().to_owned())
            } else if text == "resign" {
                Decision::Resign
            } else if text.starts_with("Illegal move") || claims_result(text) {
                return Err(Fault::Garbage { found: text.to_owned() });
            } else {
                offers_draw |= text == "offer draw";
                if text.starts_with(|first: char| first.is_ascii_digit()) {
                    info::read_xboard(text, &mut insight);
                }
                continue;
            };
            let used = line.at.saturating_duration_since(asked);
            let iterations = Vec::new();
            return Ok(Thought {
                decision,
                insight,
                used,
                iterations,
                expects: None,
                offers_draw,
                ply_statistics: None,
                progress: None,
            });
        }
        self.process.kill();
        Err(Fault::Stalled { after: asked.elapsed() })
    }

    fn ponder(&mut self, _turn: &Turn<'_>) -> Result<(), Fault> {
        // `hard` makes the engine ponder by itself.
        Ok(())
    }

    fn game_over(&mut self, result: &str) -> Result<(), Fault> {
        self.process.send(&format!("result {result} {{game over}}"))?;
        self.process.send("force")
    }
}

impl Drop for XboardPlayer {
    fn drop(&mut self) {
        self.process.quit("quit");
    }
}

fn claims_result(text: &str) -> bool {
    ["1-0 ", "0-1 ", "1/2-1/2 "].iter().any(|result| text.starts_with(result))
}

/// XBoard cannot say everything UCI can.
fn check_limits(limits: &Limits) -> Result<(), Fault> {
    let refuse = |detail: &str| Err(Fault::Setup { detail: detail.to_owned() });
    if limits.nodes.is_some() {
        return refuse("XBoard has no node limit; use a time control or a depth");
    }
    if limits.movetime.is_some_and(|time| time.subsec_millis() != 0 || time.as_secs() == 0) {
        return refuse("XBoard counts time per move in whole seconds");
    }
    Ok(())
}

fn time_commands(limits: &Limits) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(control) = limits.clock {
        let (minutes, seconds) = (control.base.as_secs() / 60, control.base.as_secs() % 60);
        let base = if seconds == 0 { minutes.to_string() } else { format!("{minutes}:{seconds:02}") };
        let increment = control.increment.as_secs_f64();
        commands.push(format!("level {} {base} {increment}", control.moves.unwrap_or(0)));
    }
    commands.extend(limits.movetime.map(|time| format!("st {}", time.as_secs())));
    commands.extend(limits.depth.map(|depth| format!("sd {depth}")));
    commands
}

/// `name=value` pairs, values perhaps in quotes.
fn features(list: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = list.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_with_and_without_quotes() {
        let pairs =
            features("ping=1 myname=\"Crafty 25.2\" setboard=1 option=\"Hash Size -spin 16 1 1024\" done=1");
        let names: Vec<&str> = pairs.iter().map(|pair| pair.0.as_str()).collect();
        assert_eq!(names, ["ping", "myname", "setboard", "option", "done"]);
        assert_eq!(pairs[1].1, "Crafty 25.2");
        assert_eq!(pairs[3].1, "Hash Size -spin 16 1 1024");
        assert!(features("garbage").is_empty());
        assert_eq!(features("myname=\"open"), [("myname".to_owned(), "open".to_owned())]);
    }

    #[test]
    fn time_controls_in_the_protocols_words() {
        let limits =
            Limits { clock: Some("40/5:30+2".parse().unwrap()), depth: Some(8), ..Limits::default() };
        assert_eq!(time_commands(&limits), ["level 40 5:30 2", "sd 8"]);
        let limits = Limits { clock: Some("180".parse().unwrap()), ..Limits::default() };
        assert_eq!(time_commands(&limits), ["level 0 3 0"]);
    }

    #[test]
    fn what_the_protocol_cannot_say_is_refused() {
        assert!(check_limits(&Limits { nodes: Some(1), ..Limits::default() }).is_err());
        let movetime = Some(Duration::from_millis(500));
        assert!(check_limits(&Limits { movetime, ..Limits::default() }).is_err());
        assert!(check_limits(&Limits { depth: Some(5), ..Limits::default() }).is_ok());
    }
}
