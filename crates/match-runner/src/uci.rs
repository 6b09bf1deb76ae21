//! Driving an engine process that speaks UCI.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chess::Game;

use super::fault::Fault;
use super::info;
use super::limits::Clock;
use super::player::{Decision, Insight, Iteration, Player, Thought, Turn};
use super::process::{EngineProcess, Launch, Line};
use super::stop::StopFlag;

/// How long an engine may take to introduce itself or to get ready; large tables take a while to clear.
const READY_PATIENCE: Duration = Duration::from_secs(60);

/// What a UCI engine is started with.
#[derive(Clone, Debug)]
pub struct UciSetup {
    pub name: String,
    pub launch: Launch,
    pub options: BTreeMap<String, String>,
    pub ponder: bool,
    /// How long it may take to introduce itself.
    pub handshake: Duration,
}

/// What the order of events in virtual time depends on, where an engine has such a thing.
const VIRTUAL_SEED: &str = "VirtualSeed";

/// A `bestmove` line and what led to it.
struct Answer {
    line: Line,
    insight: Insight,
    iterations: Vec<Iteration>,
    /// The time it used by its own clock, when that is the one that counts.
    told: Option<Duration>,
}

/// A UCI engine ready to play.
#[derive(Debug)]
pub struct UciPlayer {
    name: String,
    identity: String,
    process: EngineProcess,
    /// Names as the engine writes them.
    options: Vec<String>,
    chess960: bool,
    /// Workers in virtual time; if there are any, only its own clock means anything.
    virtual_workers: u32,
    ponder: bool,
    /// The move it is pondering on, when a ponder search runs.
    pondering: Option<String>,
    /// The reply it announced with its last move.
    expected: Option<String>,
}

impl UciPlayer {
    /// Starts the process, waits for its introduction and sets its options.
    pub fn start(setup: &UciSetup, stop: &StopFlag) -> Result<Self, Fault> {
        let process = EngineProcess::start(&setup.launch, stop.clone())?;
        let mut player = Self {
            name: setup.name.clone(),
            identity: String::new(),
            process,
            options: Vec::new(),
            chess960: false,
            virtual_workers: virtual_workers(&setup.options),
            ponder: setup.ponder,
            pondering: None,
            expected: None,
        };
        player.introduce(setup.handshake)?;
        for (name, value) in &setup.options {
            player.set_option(name, value)?;
        }
        if setup.ponder && player.has_option("Ponder") {
            player.set_option("Ponder", "true")?;
        }
        player.wait_until_ready()?;
        Ok(player)
    }

    fn introduce(&mut self, patience: Duration) -> Result<(), Fault> {
        self.process.send("uci")?;
        let deadline = Instant::now() + patience;
        loop {
            let Some(line) = self.process.next_line(deadline)? else {
                self.process.kill();
                let detail = format!("no 'uciok' within {:.1} s of 'uci'", patience.as_secs_f64());
                return Err(Fault::Start { detail });
            };
            let text = line.text.trim();
            if text == "uciok" {
                return Ok(());
            } else if let Some(name) = text.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.identity);
            } else if let Some(rest) = text.strip_prefix("option name ") {
                let name = rest.split(" type ").next().unwrap_or(rest);
                self.options.push(name.trim().to_owned());
            }
        }
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if !self.has_option(name) {
            let known = self.options.join(", ");
            return Err(Fault::Setup { detail: format!("no option '{name}'; the engine has: {known}") });
        }
        // A button has no value.
        let command = if value.is_empty() {
            format!("setoption name {name}")
        } else {
            format!("setoption name {name} value {value}")
        };
        self.process.send(&command)
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.process.send("isready")?;
        let begin = Instant::now();
        while let Some(line) = self.process.next_line(begin + READY_PATIENCE)? {
            if line.text.trim() == "readyok" {
                return Ok(());
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: begin.elapsed() })
    }

    /// Reads until `bestmove`; kills the engine when its last wait is over.
    fn await_answer(&mut self, asked: Instant, last_wait: Duration) -> Result<Answer, Fault> {
        let mut insight = Insight::default();
        let mut iterations: Vec<Iteration> = Vec::new();
        let mut told = None;
        while let Some(line) = self.process.next_line(asked + last_wait)? {
            if line.text.starts_with("info") {
                info::read_uci(&line.text, &mut insight);
                if self.virtual_workers > 0 {
                    told = info::read_uci_time(&line.text).or(told);
                }
                if let Some((depth, score, nodes, best)) = info::read_uci_iteration(&line.text) {
                    // A depth may be reported more than once; the last time is when it was done.
                    iterations.retain(|iteration| iteration.depth < depth);
                    let at = told.unwrap_or_else(|| line.at.saturating_duration_since(asked));
                    iterations.push(Iteration { depth, score, nodes, at, best });
                }
            } else if line.text.split_whitespace().next() == Some("bestmove") {
                return Ok(Answer { line, insight, iterations, told });
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: asked.elapsed() })
    }

    /// Ends a ponder search that guessed wrong.
    fn abandon_ponder(&mut self, patience: Duration) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.process.send("stop")?;
            self.await_answer(Instant::now(), patience)?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        self.pondering = None;
        self.expected = None;
        if chess960 != self.chess960 {
            self.set_option("UCI_Chess960", if chess960 { "true" } else { "false" })?;
            self.chess960 = chess960;
        }
        self.process.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let guess_was_right = self.pondering.is_some() && self.pondering.as_ref() == turn.moves.last();
        let asked = if guess_was_right {
            self.pondering = None;
            let asked = Instant::now();
            self.process.send("ponderhit")?;
            asked
        } else {
            self.abandon_ponder(turn.patience)?;
            self.process.discard_pending();
            self.process.send(&position_command(turn.game, turn.moves, turn.chess960))?;
            let asked = Instant::now();
            self.process.send(&go_command(turn, false))?;
            asked
        };
        let Answer { line, insight, iterations, told } =
            self.await_answer(asked, turn.last_wait(self.virtual_workers))?;
        let mut words = line.text.split_whitespace().skip(1);
        let Some(best) = words.next() else {
            return Err(Fault::Garbage { found: line.text });
        };
        let expects = (words.next() == Some("ponder")).then(|| words.next().map(str::to_owned)).flatten();
        self.expected.clone_from(&expects);
        Ok(Thought {
            decision: Decision::Move(best.to_owned()),
            insight,
            used: told.unwrap_or_else(|| line.at.saturating_duration_since(asked)),
            iterations,
            expects,
            offers_draw: false,
            ply_statistics: None,
            progress: None,
        })
    }

    fn virtual_workers(&self) -> u32 {
        self.virtual_workers
    }

    fn vary(&mut self, number: u32) -> Result<(), Fault> {
        if self.virtual_workers > 0 && self.has_option(VIRTUAL_SEED) {
            self.set_option(VIRTUAL_SEED, &number.to_string())?;
        }
        Ok(())
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        if !self.ponder {
            return Ok(());
        }
        // An engine may announce nonsense here; it then simply does not ponder.
        let Some(expected) = self.expected.take() else { return Ok(()) };
        let position = turn.game.position();
        let Ok(reply) = position.parse_uci(&expected) else { return Ok(()) };
        if !position.after(reply).has_legal_move() {
            return Ok(());
        }
        let expected = position.uci(reply, turn.chess960).to_string();
        let mut moves = turn.moves.to_vec();
        moves.push(expected.clone());
        self.process.send(&position_command(turn.game, &moves, turn.chess960))?;
        self.process.send(&go_command(turn, true))?;
        self.pondering = Some(expected);
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), Fault> {
        self.abandon_ponder(Duration::from_secs(5))
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        self.process.quit("quit");
    }
}

/// How many workers these options put into virtual time.
fn virtual_workers(options: &BTreeMap<String, String>) -> u32 {
    let found = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("VirtualThreads"));
    found.and_then(|(_, workers)| workers.parse().ok()).unwrap_or(0)
}

fn position_command(game: &Game, moves: &[String], chess960: bool) -> String {
    let start = game.start();
    let mut command = if *start == chess::Position::default() {
        "position startpos".to_owned()
    } else if chess960 {
        format!("position fen {}", start.to_shredder_fen())
    } else {
        format!("position fen {}", start.to_fen())
    };
    if !moves.is_empty() {
        command.push_str(" moves ");
        command.push_str(&moves.join(" "));
    }
    command
}

fn go_command(turn: &Turn<'_>, ponder: bool) -> String {
    let mut command = "go".to_owned();
    if ponder {
        command.push_str(" ponder");
    }
    // While pondering it is the other side's move on the board, so its own clock is the waiting one.
    let own = if ponder { turn.other_clock() } else { turn.own_clock() };
    let mut say = |name: &str, value: u128| {
        // Writing to a string cannot fail.
        let _ = write!(command, " {name} {value}");
    };
    let clocks = [(turn.white, "wtime", "winc"), (turn.black, "btime", "binc")];
    if own.remaining().is_some() {
        let time = |clock: &Clock| clock.remaining().unwrap_or_default().as_millis();
        for (clock, name, _) in clocks {
            if clock.remaining().is_some() {
                say(name, time(clock));
            }
        }
        for (clock, _, name) in clocks {
            if !clock.increment().is_zero() {
                say(name, clock.increment().as_millis());
            }
        }
        if let Some(moves) = own.moves_to_go() {
            say("movestogo", u128::from(moves));
        }
    }
    let limits = own.limits();
    if let Some(depth) = limits.depth {
        say("depth", u128::from(depth));
    }
    if let Some(nodes) = limits.nodes {
        say("nodes", u128::from(nodes));
    }
    if let Some(movetime) = limits.movetime {
        say("movetime", movetime.as_millis());
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn turn<'a>(game: &'a Game, white: &'a Clock, black: &'a Clock) -> Turn<'a> {
        Turn { game, moves: &[], chess960: false, white, black, patience: Duration::from_secs(1) }
    }

    #[test]
    fn go_says_every_limit_and_both_clocks() {
        let game = Game::default();
        let white = Clock::new(Limits { clock: Some("40/8+0.08".parse().unwrap()), ..Limits::default() });
        let black = Clock::new(Limits { clock: Some("4".parse().unwrap()), ..Limits::default() });
        assert_eq!(
            go_command(&turn(&game, &white, &black), false),
            "go wtime 8080 btime 4000 winc 80 movestogo 40"
        );
        let nodes = Clock::new(Limits { nodes: Some(5000), depth: Some(9), ..Limits::default() });
        assert_eq!(go_command(&turn(&game, &nodes, &black), false), "go depth 9 nodes 5000");
        assert_eq!(go_command(&turn(&game, &black, &nodes), true), "go ponder depth 9 nodes 5000");
    }

    #[test]
    fn positions_are_sent_from_their_start() {
        let game = Game::default();
        assert_eq!(position_command(&game, &[], false), "position startpos");
        assert_eq!(position_command(&game, &["e2e4".into()], false), "position startpos moves e2e4");
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40";
        let game = Game::new(chess::Position::from_fen(fen).unwrap());
        assert_eq!(
            position_command(&game, &["e1g1".into()], false),
            format!("position fen {fen} moves e1g1")
        );
    }
}
