//! Driving an engine process that speaks the XBoard protocol, version 2.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use protocol::client::info::SearchInfo;
use protocol::client::xboard::{self, Features, Reply};

use super::fault::Fault;
use super::limits::Limits;
use super::player::{Decision, Player, SearchResult, Turn};
use super::process::{EngineProcess, Launch};
use super::stop::StopFlag;
use super::transcript::Transcript;

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
        for line in xboard::INTRODUCE {
            self.process.send(line)?;
        }
        let mut deadline = Instant::now() + self.setup.handshake;
        while let Some(line) = self.process.next_line(deadline)? {
            let Reply::Features(list) = xboard::reply(&line.text) else { continue };
            for (name, value) in list {
                if name == "done" && value == "0" {
                    deadline = Instant::now() + SLOW_START;
                } else if name == "done" {
                    return Ok(());
                }
                let answer = self.features.take(&name, &value);
                self.process.send(&answer)?;
            }
        }
        self.process.kill();
        let patience = self.setup.handshake.as_secs_f64();
        Err(Fault::Start { detail: format!("no 'feature done=1' within {patience:.1} s of 'protover 2'") })
    }

    fn set_options(&mut self) -> Result<(), Fault> {
        for (name, value) in self.setup.options.clone() {
            let command =
                self.features.set_option(&name, &value).map_err(|detail| Fault::Setup { detail })?;
            self.process.send(&command)?;
        }
        Ok(())
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        self.process.send(&xboard::ping(self.pings))?;
        let begin = Instant::now();
        while let Some(line) = self.process.next_line(begin + SLOW_START)? {
            if xboard::reply(&line.text) == Reply::Pong(self.pings) {
                return Ok(());
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: begin.elapsed() })
    }

    fn send_move(&mut self, text: &str) -> Result<(), Fault> {
        let line = self.features.play(text);
        self.process.send(&line)
    }

    fn send_clocks(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        if !self.features.time {
            return Ok(());
        }
        if let Some(own) = turn.own_clock().remaining() {
            self.process.send(&xboard::own_time(own))?;
        }
        match turn.other_clock().remaining() {
            Some(other) => self.process.send(&xboard::other_time(other)),
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
            self.process.send(&xboard::set_board(&fen))?;
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
                self.process.send(xboard::FORCE)?;
            }
            for text in &news {
                self.send_move(text)?;
            }
            self.send_clocks(turn)?;
            self.forced = false;
            let asked = Instant::now();
            self.process.send(xboard::GO)?;
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

    fn record(&mut self, transcript: Option<Transcript>) {
        self.process.record(&self.setup.name, transcript);
    }

    fn identity(&self) -> &str {
        &self.features.name
    }

    fn process(&self) -> Option<u32> {
        Some(self.process.id())
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        if self.games > 0 && !self.features.reuse {
            *self = Self::start(&self.setup.clone(), &self.stop.clone())?;
        }
        self.games += 1;
        self.process.discard_pending();
        self.process.send(xboard::NEW_GAME)?;
        if chess960 {
            if !self.features.plays_chess960() {
                return Err(Fault::Setup { detail: "it does not play fischerandom".to_owned() });
            }
            self.process.send(xboard::CHESS960)?;
        }
        self.process.send(xboard::FORCE)?;
        for command in time_commands(&self.setup.limits) {
            self.process.send(&command)?;
        }
        self.process.send(xboard::POST)?;
        self.process.send(xboard::ponder(self.setup.ponder))?;
        self.known = None;
        self.forced = true;
        self.wait_until_ready()
    }

    fn search(&mut self, turn: &Turn<'_>) -> Result<SearchResult, Fault> {
        self.process.discard_pending();
        let asked = self.ask(turn)?;
        let mut info = SearchInfo::default();
        let mut offers_draw = false;
        let deadline = asked + turn.last_wait(0);
        while let Some(line) = self.process.next_line(deadline)? {
            let decision = match xboard::reply(&line.text) {
                Reply::Move(mv) => {
                    // The engine has played it on its own board.
                    self.known = Some(turn.moves.len() + 1);
                    Decision::Move(mv)
                }
                Reply::Resign => Decision::Resign,
                Reply::Objection(found) => return Err(Fault::Garbage { found }),
                Reply::OffersDraw => {
                    offers_draw = true;
                    continue;
                }
                Reply::Thinking(found) => {
                    info = found;
                    continue;
                }
                _ => continue,
            };
            let used = line.at.saturating_duration_since(asked);
            let iterations = Vec::new();
            return Ok(SearchResult {
                decision,
                info,
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
        self.process.send(&xboard::result(result))?;
        self.process.send(xboard::FORCE)
    }
}

impl Drop for XboardPlayer {
    fn drop(&mut self) {
        self.process.quit(xboard::QUIT);
    }
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
        commands.push(xboard::level(control.moves.unwrap_or(0), control.base, control.increment));
    }
    commands.extend(limits.movetime.map(xboard::seconds_per_move));
    commands.extend(limits.depth.map(xboard::depth));
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

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
