//! Driving an engine process that speaks UCI.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use protocol::client::info::SearchInfo;
use protocol::client::uci::{self, Go, Reply, SideClock};

use super::fault::Fault;
use super::limits::Clock;
use super::player::{Decision, Iteration, Player, SearchResult, Turn, in_force, offered};
use super::process::{EngineProcess, Launch, Line};
use super::stop::StopFlag;
use super::transcript::Transcript;

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
    best: Option<String>,
    ponder: Option<String>,
    info: SearchInfo,
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
    /// Values in force, of those that have one.
    values: Vec<(String, String)>,
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
            values: Vec::new(),
            chess960: false,
            virtual_workers: virtual_workers(&setup.options),
            ponder: setup.ponder,
            pondering: None,
            expected: None,
        };
        player.introduce(setup.handshake)?;
        for value in std::mem::take(&mut player.values) {
            player.values.push(in_force(value, &setup.options));
        }
        for (name, value) in &setup.options {
            player.set_option(name, value)?;
        }
        if setup.ponder && player.has_option(uci::PONDER_OPTION) {
            player.set_option(uci::PONDER_OPTION, "true")?;
        }
        player.wait_until_ready()?;
        Ok(player)
    }

    fn introduce(&mut self, patience: Duration) -> Result<(), Fault> {
        self.process.send(uci::INTRODUCE)?;
        let deadline = Instant::now() + patience;
        while let Some(line) = self.process.next_line(deadline)? {
            match uci::reply(&line.text) {
                Reply::Introduced => return Ok(()),
                Reply::Name(name) => self.identity = name,
                Reply::OptionName(name) => {
                    self.options.push(name);
                    self.values.extend(offered(&line.text));
                }
                _ => {}
            }
        }
        self.process.kill();
        let detail = format!("no 'uciok' within {:.1} s of 'uci'", patience.as_secs_f64());
        Err(Fault::Start { detail })
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if !self.has_option(name) {
            let known = self.options.join(", ");
            return Err(Fault::Setup { detail: format!("no option '{name}'; the engine has: {known}") });
        }
        self.process.send(&uci::set_option(name, value))
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.process.send(uci::IS_READY)?;
        let begin = Instant::now();
        while let Some(line) = self.process.next_line(begin + READY_PATIENCE)? {
            if uci::reply(&line.text) == Reply::Ready {
                return Ok(());
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: begin.elapsed() })
    }

    /// Reads until `bestmove`; kills the engine when its last wait is over.
    fn await_answer(&mut self, asked: Instant, last_wait: Duration) -> Result<Answer, Fault> {
        let mut record = SearchInfo::default();
        let mut iterations: Vec<Iteration> = Vec::new();
        let mut told = None;
        while let Some(line) = self.process.next_line(asked + last_wait)? {
            match uci::reply(&line.text) {
                Reply::Info(info) => {
                    info.update(&mut record);
                    if self.virtual_workers > 0 {
                        told = info.time.or(told);
                    }
                    if let Some((depth, score, best)) = info.iteration() {
                        // A depth may be reported more than once; the last time is when it was done.
                        iterations.retain(|iteration| iteration.depth < depth);
                        let at = told.unwrap_or_else(|| line.at.saturating_duration_since(asked));
                        let nodes = info.values.nodes;
                        let best = best.to_owned();
                        iterations.push(Iteration { depth, score, nodes, at, best, table_used: None });
                    }
                }
                Reply::BestMove { best, ponder } => {
                    return Ok(Answer { line, best, ponder, info: record, iterations, told });
                }
                _ => {}
            }
        }
        self.process.kill();
        Err(Fault::Stalled { after: asked.elapsed() })
    }

    /// Ends a ponder search that guessed wrong.
    fn abandon_ponder(&mut self, patience: Duration) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.process.send(uci::STOP)?;
            self.await_answer(Instant::now(), patience)?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn record(&mut self, transcript: Option<Transcript>) {
        self.process.record(&self.name, transcript);
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn options(&self) -> Vec<(String, String)> {
        self.values.clone()
    }

    fn process(&self) -> Option<u32> {
        Some(self.process.id())
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        self.pondering = None;
        self.expected = None;
        if chess960 != self.chess960 {
            self.set_option(uci::CHESS960_OPTION, if chess960 { "true" } else { "false" })?;
            self.chess960 = chess960;
        }
        self.process.send(uci::NEW_GAME)?;
        self.wait_until_ready()
    }

    fn search(&mut self, turn: &Turn<'_>) -> Result<SearchResult, Fault> {
        let guess_was_right = self.pondering.is_some() && self.pondering.as_ref() == turn.moves.last();
        let asked = if guess_was_right {
            self.pondering = None;
            let asked = Instant::now();
            self.process.send(uci::PONDER_HIT)?;
            asked
        } else {
            self.abandon_ponder(turn.patience)?;
            self.process.discard_pending();
            self.process.send(&uci::position(turn.game.start(), turn.moves, turn.chess960))?;
            let asked = Instant::now();
            self.process.send(&go(turn, false).command())?;
            asked
        };
        let Answer { line, best, ponder, info, iterations, told } =
            self.await_answer(asked, turn.last_wait(self.virtual_workers))?;
        let Some(best) = best else { return Err(Fault::Garbage { found: line.text }) };
        self.expected.clone_from(&ponder);
        Ok(SearchResult {
            decision: Decision::Move(best),
            info,
            used: told.unwrap_or_else(|| line.at.saturating_duration_since(asked)),
            iterations,
            expects: ponder,
            offers_draw: false,
            ply_statistics: None,
            progress: None,
        })
    }

    fn virtual_workers(&self) -> u32 {
        self.virtual_workers
    }

    fn set_repetition(&mut self, number: u32) -> Result<(), Fault> {
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
        self.process.send(&uci::position(turn.game.start(), &moves, turn.chess960))?;
        self.process.send(&go(turn, true).command())?;
        self.pondering = Some(expected);
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), Fault> {
        self.abandon_ponder(Duration::from_secs(5))
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        self.process.quit(uci::QUIT);
    }
}

/// How many workers these options put into virtual time.
fn virtual_workers(options: &BTreeMap<String, String>) -> u32 {
    let found = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("VirtualThreads"));
    found.and_then(|(_, workers)| workers.parse().ok()).unwrap_or(0)
}

/// What the player whose turn it is may use; while it ponders, that is the side that waits.
pub(crate) fn go(turn: &Turn<'_>, ponder: bool) -> Go {
    let own = if ponder { turn.other_clock() } else { turn.own_clock() };
    let side = |clock: &Clock| SideClock { remaining: clock.remaining(), increment: clock.increment() };
    let limits = own.limits();
    Go {
        ponder,
        clocks: own.remaining().map(|_| [side(turn.white), side(turn.black)]),
        moves_to_go: own.moves_to_go(),
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.movetime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use chess::Game;

    #[test]
    fn the_limits_of_the_mover_are_sent_and_both_clocks() {
        let game = Game::default();
        let turn = |white, black| Turn {
            game: &game,
            moves: &[],
            chess960: false,
            white,
            black,
            patience: Duration::from_secs(1),
        };
        let white = Clock::new(Limits { clock: Some("40/8+0.08".parse().unwrap()), ..Limits::default() });
        let black = Clock::new(Limits { clock: Some("4".parse().unwrap()), ..Limits::default() });
        assert_eq!(
            go(&turn(&white, &black), false).command(),
            "go wtime 8080 btime 4000 winc 80 movestogo 40"
        );
        let nodes = Clock::new(Limits { nodes: Some(5000), depth: Some(9), ..Limits::default() });
        assert_eq!(go(&turn(&nodes, &black), false).command(), "go depth 9 nodes 5000");
        assert_eq!(go(&turn(&black, &nodes), true).command(), "go ponder depth 9 nodes 5000");
    }
}
