//! The engine of this program as a player: no process, no text, and as many of them in one run as wanted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use engine::{Clock as EngineClock, Engine, Information, OptionTable, Report, Request};
use kernel::{Bound, Kind, PlayClock};

use super::fault::Fault;
use super::player::{Decision, Iteration, Player, SearchResult, Turn, in_force, offered};
use super::stop::StopFlag;
use super::transcript::{Direction, Transcript};
use protocol::client::info::{ReportedScore, SearchInfo};
use protocol::client::uci;
use protocol::uci::format;

/// How often a wait looks at the stop flag.
const SLICE: Duration = Duration::from_millis(50);

/// The lab may read the wall clock; the engine gets it handed in.
struct WallClock(Instant);

impl EngineClock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Our own engine, in this process.
pub struct InternalPlayer {
    name: String,
    engine: Engine,
    options: BTreeMap<String, String>,
    stop: StopFlag,
    chess960: bool,
    transcript: Option<Transcript>,
}

impl InternalPlayer {
    /// An engine of its own, with options set by name as over UCI.
    pub fn start(name: &str, options: &BTreeMap<String, String>, stop: &StopFlag) -> Result<Self, Fault> {
        let failed = |error: engine::OptionError| Fault::Setup { detail: error.to_string() };
        let mut engine = Engine::new(Arc::new(WallClock(Instant::now()))).map_err(failed)?;
        for (option, value) in options {
            engine.set_option(option, Some(value)).map_err(failed)?;
        }
        Ok(Self {
            name: name.to_owned(),
            engine,
            options: options.clone(),
            stop: stop.clone(),
            chess960: false,
            transcript: None,
        })
    }

    /// A line of the transcript, in the words that a process would be told or answer in.
    fn log(&self, at: Instant, direction: Direction, text: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.line(&self.name, at, direction, text);
        }
    }

    fn limits(turn: &Turn<'_>) -> kernel::Limits {
        let clock = turn.own_clock();
        let limits = clock.limits();
        let play = clock.remaining().map(|remaining| PlayClock {
            remaining,
            increment: clock.increment(),
            moves_to_go: clock.moves_to_go(),
        });
        kernel::Limits {
            depth: limits.depth.map(|depth| kernel::Depth::new(i32::try_from(depth).unwrap_or(i32::MAX))),
            nodes: limits.nodes,
            move_time: limits.movetime,
            clock: play,
            ..kernel::Limits::default()
        }
    }

    /// Waits for the answer; a search that does not end is told to stop, and given up when even that does not help.
    fn await_best(
        &self,
        reports: &Receiver<(Instant, Report)>,
        asked: Instant,
        turn: &Turn<'_>,
    ) -> Result<SearchResult, Fault> {
        let mut info = SearchInfo::default();
        let mut iterations: Vec<Iteration> = Vec::new();
        let is_virtual = self.virtual_workers() > 0;
        let deadline = asked + turn.last_wait(self.virtual_workers());
        loop {
            if self.stop.is_raised() {
                self.engine.stop();
                return Err(Fault::Interrupted);
            }
            match reports.recv_timeout(SLICE) {
                Ok((at, Report::Information(information))) => {
                    if self.transcript.is_some() {
                        let style = format::Style { chess960: turn.chess960, show_wdl: false };
                        let line = format::information(&information, turn.game.position(), style);
                        self.log(at, Direction::FromEngine, &line);
                    }
                    let used =
                        if is_virtual { information.time } else { at.saturating_duration_since(asked) };
                    take(&information, used, turn, &mut info, &mut iterations);
                }
                Ok((_, Report::Remark(_))) => {}
                Ok((at, Report::Best { best, ponder })) => {
                    let position = turn.game.position();
                    let line = format::best_move(best, ponder, position, turn.chess960);
                    self.log(at, Direction::FromEngine, &line);
                    let text = best.map_or_else(
                        || "(none)".to_owned(),
                        |mv| position.uci(mv, turn.chess960).to_string(),
                    );
                    let progress = self.engine.progress();
                    let told = progress.map(|progress| progress.time).filter(|_| is_virtual);
                    return Ok(SearchResult {
                        decision: Decision::Move(text),
                        info,
                        used: told.unwrap_or_else(|| at.saturating_duration_since(asked)),
                        iterations,
                        expects: None,
                        offers_draw: false,
                        ply_statistics: self.engine.ply_statistics(),
                        progress,
                    });
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.engine.stop();
                    return Err(Fault::Stalled { after: asked.elapsed() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Disconnected {
                        detail: "the search ended without an answer".to_owned(),
                    });
                }
            }
        }
    }
}

/// Keeps what an exact line of the first variation says.
fn take(
    information: &Information,
    at: Duration,
    turn: &Turn<'_>,
    info: &mut SearchInfo,
    iterations: &mut Vec<Iteration>,
) {
    info.nodes = Some(information.nodes);
    if information.rank != 1 || information.bound != Bound::Exact {
        return;
    }
    let score = match information.score.kind() {
        Kind::MateIn(plies) => ReportedScore::Mate(plies.div_ceil(2) as i32),
        Kind::MatedIn(plies) => ReportedScore::Mate(-((plies / 2) as i32)),
        _ => ReportedScore::Centipawns(information.score.value()),
    };
    info.score = Some(score);
    info.depth = Some(information.depth);
    info.selective_depth = Some(information.selective_depth);
    info.table_base_hits = Some(information.table_base_hits);
    if let Some(best) = information.line.first() {
        let best = turn.game.position().uci(*best, turn.chess960).to_string();
        iterations.retain(|iteration| iteration.depth < information.depth);
        iterations.push(Iteration {
            depth: information.depth,
            score,
            nodes: Some(information.nodes),
            at,
            best,
            table_used: Some(information.permille_used),
        });
    }
}

/// The node count of `tabiya bench`, which identifies the search.
pub fn bench() -> Option<u64> {
    let engine = Engine::new(Arc::new(WallClock(Instant::now()))).ok()?;
    engine.bench(engine::BENCH_DEPTH).ok().map(|report| report.nodes)
}

/// The checksum of the network that this build has.
pub fn network_checksum() -> u32 {
    eval::Evaluation::shipped().checksum()
}

impl Player for InternalPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> &'static str {
        concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ", in this process")
    }

    fn record(&mut self, transcript: Option<Transcript>) {
        self.transcript = transcript;
        for (name, value) in &self.options {
            self.log(Instant::now(), Direction::ToEngine, &uci::set_option(name, value));
        }
    }

    fn options(&self) -> Vec<(String, String)> {
        let lines = OptionTable::all().iter().map(format::option);
        lines.filter_map(|line| offered(&line)).map(|offer| in_force(offer, &self.options)).collect()
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        self.chess960 = chess960;
        self.log(Instant::now(), Direction::ToEngine, uci::NEW_GAME);
        self.engine.new_game().map_err(|fault| Fault::Setup { detail: fault.to_string() })
    }

    fn search(&mut self, turn: &Turn<'_>) -> Result<SearchResult, Fault> {
        let (sender, reports) = channel();
        self.engine.set_game(turn.game.clone());
        let asked = Instant::now();
        if self.transcript.is_some() {
            let position = uci::position(turn.game.start(), turn.moves, turn.chess960);
            self.log(asked, Direction::ToEngine, &position);
            self.log(asked, Direction::ToEngine, &crate::uci::go(turn, false).command());
        }
        self.engine.go(
            Request::new(Self::limits(turn)),
            Box::new(move |report| {
                // Nobody listens any more once the search was given up.
                let _ = sender.send((Instant::now(), report));
            }),
        );
        self.await_best(&reports, asked, turn)
    }

    fn set_repetition(&mut self, number: u32) -> Result<(), Fault> {
        let seed = number.to_string();
        let set = self.engine.set_option("VirtualSeed", Some(&seed));
        set.map(|_| ()).map_err(|error| Fault::Setup { detail: error.to_string() })
    }

    fn virtual_workers(&self) -> u32 {
        self.engine.settings().virtual_threads as u32
    }

    fn ponder(&mut self, _turn: &Turn<'_>) -> Result<(), Fault> {
        // Both sides share one machine here: an engine that thinks on the other's time would only slow it down.
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), Fault> {
        self.engine.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Clock, Limits};
    use chess::Game;

    fn turn<'a>(game: &'a Game, clock: &'a Clock) -> Turn<'a> {
        Turn {
            game,
            moves: &[],
            chess960: false,
            white: clock,
            black: clock,
            patience: Duration::from_secs(20),
        }
    }

    #[test]
    fn the_engine_finds_a_mate_in_one_and_says_so() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let game = Game::new(chess::Position::from_fen(fen).unwrap());
        let clock = Clock::new(Limits { depth: Some(3), ..Limits::default() });
        let mut player = InternalPlayer::start("own", &BTreeMap::new(), &StopFlag::default()).unwrap();
        player.new_game(false).unwrap();
        let result = player.search(&turn(&game, &clock)).unwrap();
        assert_eq!(result.decision, Decision::Move("d1d8".to_owned()));
        assert_eq!(result.info.score, Some(ReportedScore::Mate(1)));
        assert_eq!(result.iterations.last().map(|iteration| iteration.best.as_str()), Some("d1d8"));
    }

    /// The logs of games between engines of this process had been empty.
    #[test]
    fn a_transcript_has_what_a_process_would_be_told_and_answer() {
        let path =
            std::env::temp_dir().join(format!("tabiya-own-transcript-{}/game.log", std::process::id()));
        let options = BTreeMap::from([("Hash".to_owned(), "1".to_owned())]);
        let mut player = InternalPlayer::start("own", &options, &StopFlag::default()).unwrap();
        player.record(Some(Transcript::create(&path).unwrap()));
        let clock = Clock::new(Limits { depth: Some(2), ..Limits::default() });
        player.new_game(false).unwrap();
        player.search(&turn(&Game::default(), &clock)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
        let lines: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(" own ").map(|two| two.1)).collect();
        assert_eq!(lines.len(), text.lines().count(), "{text}");
        let begins = ["> setoption name Hash value 1", "> ucinewgame", "> position startpos", "> go depth 2"];
        assert_eq!(lines[..4], begins, "{text}");
        assert!(lines[4].starts_with("< info depth 1 ") && lines.last().unwrap().contains("move "), "{text}");
    }

    #[test]
    fn the_options_in_force_are_the_defaults_and_what_was_set() {
        let options = BTreeMap::from([("hash".to_owned(), "3".to_owned())]);
        let player = InternalPlayer::start("own", &options, &StopFlag::default()).unwrap();
        let all = player.options();
        let value = |name: &str| all.iter().find(|option| option.0 == name).map(|option| option.1.as_str());
        assert_eq!((value("Hash"), value("Threads")), (Some("3"), Some("1")));
    }

    #[test]
    fn a_raised_flag_ends_the_search() {
        let stop = StopFlag::default();
        let mut player = InternalPlayer::start("own", &BTreeMap::new(), &stop).unwrap();
        stop.raise();
        let clock = Clock::new(Limits { depth: Some(100), ..Limits::default() });
        assert_eq!(player.search(&turn(&Game::default(), &clock)).unwrap_err(), Fault::Interrupted);
    }

    #[test]
    fn virtual_workers_are_charged_virtual_time() {
        let options = [("VirtualThreads", "4"), ("Parallel", "ybwc"), ("Hash", "1")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let mut player = InternalPlayer::start("own", &options, &StopFlag::default()).unwrap();
        let allowed = Duration::from_millis(20);
        let clock = Clock::new(Limits { movetime: Some(allowed), ..Limits::default() });
        let mut play = || {
            player.new_game(false).unwrap();
            player.search(&turn(&Game::default(), &clock)).unwrap()
        };
        let (one, other) = (play(), play());
        assert_eq!(one.info, other.info);
        let apart = one.used.abs_diff(other.used);
        assert!(apart < Duration::from_micros(1), "to the microsecond, on any machine: {apart:?}");
        assert!((allowed / 2..=allowed).contains(&one.used), "{:?}", one.used);
    }

    #[test]
    fn a_wrong_option_is_told() {
        let options = BTreeMap::from([("Nonsense".to_owned(), "1".to_owned())]);
        let fault = InternalPlayer::start("own", &options, &StopFlag::default()).err().unwrap();
        assert!(fault.to_string().contains("Nonsense"), "{fault}");
    }
}
