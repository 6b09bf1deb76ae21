//! A worker plays games one after another with engines of its own.

use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;

use chess::Color;

use super::config::Tournament;
use experiment::store::Event;
use match_runner::fault::Fault;
use match_runner::game::{Aborted, GameRecord, play};
use match_runner::player::Player;
use match_runner::schedule::GameTask;
use match_runner::stop::StopFlag;
use match_runner::transcript::Transcript;

/// What a worker tells the one who keeps the books.
pub(super) enum Report {
    Played {
        task: GameTask,
        opening: usize,
        record: Box<GameRecord>,
    },
    /// An engine introduced itself.
    Identity {
        engine: usize,
        identity: String,
        /// Every option with its value.
        options: Vec<(String, String)>,
    },
    /// Worth recording, no reason to stop.
    Event(Event),
    /// The run cannot go on.
    Fatal {
        reason: String,
    },
}

pub(super) struct Worker<'a> {
    tournament: &'a Tournament,
    /// Hands out every missing game once.
    next: &'a (dyn Fn() -> Option<GameTask> + Sync),
    reports: SyncSender<Report>,
    stop: StopFlag,
    players: BTreeMap<usize, Box<dyn Player>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        tournament: &'a Tournament,
        next: &'a (dyn Fn() -> Option<GameTask> + Sync),
        reports: SyncSender<Report>,
        stop: StopFlag,
    ) -> Self {
        Self { tournament, next, reports, stop, players: BTreeMap::new() }
    }

    /// Plays until nothing is left or the run is stopped; on core `number` and no other, if games are pinned: engines
    /// started from here inherit that.
    pub(super) fn work(&mut self, number: usize) {
        if self.tournament.pinned {
            kernel::sched::pin(number);
        }
        while !self.stop.is_raised() {
            let Some(task) = (self.next)() else { break };
            let report = match self.play_task(&task) {
                Ok(Some((opening, record))) => Report::Played { task, opening, record: Box::new(record) },
                Ok(None) => break,
                Err(reason) => Report::Fatal { reason },
            };
            // Nobody listens any more only when the run is over.
            if self.reports.send(report).is_err() {
                break;
            }
        }
    }

    /// `None` when the run was stopped during the game.
    fn play_task(&mut self, task: &GameTask) -> Result<Option<(usize, GameRecord)>, String> {
        let (index, opening) = self.tournament.openings.of_pair(task.round);
        let opening = opening?;
        // Engines of other pairings would only hold memory.
        self.players.retain(|engine, _| *engine == task.white || *engine == task.black);
        let limits = [task.white, task.black].map(|engine| self.tournament.engines[engine].limits);
        let mut attempts = 0;
        loop {
            let (Some(mut white), Some(mut black)) = (self.take(task.white)?, self.take(task.black)?) else {
                return Ok(None);
            };
            let transcript = self.transcript(task)?;
            white.record(transcript.clone());
            black.record(transcript);
            let outcome = play(white.as_mut(), black.as_mut(), &opening, limits, &self.tournament.conditions);
            let broken = match &outcome {
                Ok(record) => record.broken,
                Err(Aborted::NotReady { side, .. }) => Some(*side),
                Err(Aborted::Interrupted) => None,
            };
            // A broken player is dropped here and started again for the next game.
            if broken != Some(Color::White) {
                self.players.insert(task.white, white);
            }
            if broken != Some(Color::Black) {
                self.players.insert(task.black, black);
            }
            match outcome {
                Ok(record) => return Ok(Some((index, record))),
                Err(Aborted::Interrupted) => return Ok(None),
                Err(Aborted::NotReady { side, fault }) => {
                    attempts += 1;
                    let engine = if side == Color::White { task.white } else { task.black };
                    let name = &self.tournament.engines[engine].name;
                    let setup = matches!(fault, Fault::Setup { .. });
                    if attempts > 2 || setup {
                        return Err(format!("{name} {fault}"));
                    }
                    let detail = format!("before game {}: {fault}; started again", task.number + 1);
                    let event = Event { kind: "restart".to_owned(), subject: name.clone(), detail };
                    let _ = self.reports.send(Report::Event(event));
                }
            }
        }
    }

    /// Where what the engines say in this game is written, if that is wished.
    fn transcript(&self, task: &GameTask) -> Result<Option<Transcript>, String> {
        let Some(folder) = &self.tournament.engine_log else { return Ok(None) };
        let path = folder.join(format!("game-{:06}.log", task.number + 1));
        Transcript::create(&path).map(Some).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// A player for an engine, started if it is not running; `None` when the run is being stopped.
    fn take(&mut self, engine: usize) -> Result<Option<Box<dyn Player>>, String> {
        if let Some(player) = self.players.remove(&engine) {
            return Ok(Some(player));
        }
        let spec = &self.tournament.engines[engine];
        match spec.start(&self.stop) {
            Ok(player) => {
                let identity = player.identity().to_owned();
                let options = player.options();
                let _ = self.reports.send(Report::Identity { engine, identity, options });
                Ok(Some(player))
            }
            Err(Fault::Interrupted) => Ok(None),
            Err(fault) => Err(format!("{} {fault}", spec.name)),
        }
    }
}
