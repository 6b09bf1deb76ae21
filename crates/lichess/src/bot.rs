//! The account: accepts challenges and starts games.

use crate::account::Account;
use crate::client::{Client, LogSink, RequestError};
use crate::events::{AccountEvent, Challenge};
use crate::game;
use crate::identifier::Identifier;
use crate::listen::{StreamEvent, StreamHandle, StreamListener};
use crate::log::LogEvent;
use crate::policy::{DeclineReason, Policy};
use crate::settings::PlaySettings;
use crate::shutdown::{Shutdown, Stage, TimeScale};
use crate::site::Site;
use crate::token::Token;
use engine::Clock;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// An accepted challenge becomes a game within this time, or its place is free again.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// How often accepted challenges are checked when nothing else happens.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

pub struct Config {
    pub site: Site,
    pub token: Token,
    pub policy: Policy,
    pub play: PlaySettings,
    /// Log the answers to challenges, but send none.
    pub dry_run: bool,
    pub scale: TimeScale,
}

enum BotInput {
    Site(StreamEvent<AccountEvent>),
    GameEnded(Identifier),
    Shutdown(Stage),
}

pub struct Bot {
    client: Arc<Client>,
    account: Account,
    policy: Policy,
    settings: PlaySettings,
    dry_run: bool,
    clock: Arc<dyn Clock>,
    inputs: (Sender<BotInput>, Receiver<BotInput>),
    sessions: HashMap<Identifier, JoinHandle<()>>,
    /// Games that run on the site but have no session, because as many as the policy allows have one.
    unplayed: VecDeque<Identifier>,
    /// Accepted, and not started yet.
    accepted: HashMap<Identifier, Instant>,
    queue: VecDeque<Challenge>,
}

/// Lets another thread shut the bot down.
#[derive(Clone)]
pub struct Handle {
    shutdown: Arc<Shutdown>,
    inputs: Sender<BotInput>,
}

impl Handle {
    /// The first call ends accepting games, the second leaves at once.
    pub fn stop(&self) -> Stage {
        let stage = self.shutdown.advance();
        // A bot that has ended needs no message.
        let _ = self.inputs.send(BotInput::Shutdown(stage));
        stage
    }
}

impl Bot {
    /// Checks the engine's settings and the token.
    pub fn connect(config: Config, clock: Arc<dyn Clock>, sink: LogSink) -> Result<Bot, RequestError> {
        game::check(&config.play, &clock).map_err(RequestError::Unavailable)?;
        let shutdown = Arc::new(Shutdown::new(config.scale));
        let client = Arc::new(Client::new(config.site, config.token, shutdown, sink));
        let account = Account::fetch(&client)?;
        Ok(Bot {
            client,
            account,
            policy: config.policy,
            settings: config.play,
            dry_run: config.dry_run,
            clock,
            inputs: channel(),
            sessions: HashMap::new(),
            unplayed: VecDeque::new(),
            accepted: HashMap::new(),
            queue: VecDeque::new(),
        })
    }

    pub fn account(&self) -> &Account {
        &self.account
    }

    pub fn handle(&self) -> Handle {
        Handle { shutdown: Arc::clone(self.client.shutdown()), inputs: self.inputs.0.clone() }
    }

    /// Makes the account a bot account. This cannot be undone.
    pub fn upgrade(&self) -> Result<(), RequestError> {
        self.client.post("/api/bot/account/upgrade", &[])
    }

    /// Plays until it is stopped or the site refuses the token.
    pub fn run(mut self) -> Result<(), RequestError> {
        let stream = StreamHandle::default();
        let (client, inputs, handle) = (Arc::clone(&self.client), self.inputs.0.clone(), stream.clone());
        let listen = move || {
            let listener = StreamListener {
                client: &client,
                path: "/api/stream/event",
                name: "events".into(),
                handle: &handle,
            };
            listener.run(AccountEvent::parse, |_| false, |event| inputs.send(BotInput::Site(event)).is_ok());
        };
        let listener = Builder::new()
            .name("events".into())
            .spawn(listen)
            .map_err(|error| RequestError::Unavailable(format!("no thread to listen in: {error}")))?;
        self.client.log(LogEvent::Listening { account: self.account.username.clone() });
        let end = self.handle_inputs();
        let left = self.sessions.len();
        self.client.shutdown().set(Stage::Leaving);
        stream.hang_up();
        for (_, session) in self.sessions.drain() {
            // A session that panicked has ended all the same.
            let _ = session.join();
        }
        let _ = listener.join();
        self.client.log(LogEvent::Left { games: left });
        end
    }

    fn handle_inputs(&mut self) -> Result<(), RequestError> {
        loop {
            // The channel stays open, because this bot holds a sender: an error is the end of the time.
            match self.inputs.1.recv_timeout(POLL_INTERVAL) {
                Ok(BotInput::Site(StreamEvent::Event(event))) => self.handle_event(event),
                Ok(BotInput::Site(StreamEvent::Lost)) => {}
                // A game may wait because the system gave it no thread.
                Err(_) => self.fill_places(),
                Ok(BotInput::Site(StreamEvent::Refused(error))) => return Err(error),
                Ok(BotInput::GameEnded(id)) => {
                    if let Some(session) = self.sessions.remove(&id) {
                        let _ = session.join();
                    }
                    self.fill_places();
                }
                Ok(BotInput::Shutdown(Stage::Leaving)) => return Ok(()),
                Ok(BotInput::Shutdown(_)) => {
                    self.client.log(LogEvent::Finishing { games: self.sessions.len() });
                    while let Some(challenge) = self.queue.pop_front() {
                        self.decline(&challenge, DeclineReason::Later);
                    }
                }
            }
            let idle = self.sessions.is_empty() && self.unplayed.is_empty() && self.accepted_now() == 0;
            if idle && self.client.shutdown().stage() != Stage::Playing {
                return Ok(());
            }
        }
    }

    fn handle_event(&mut self, event: AccountEvent) {
        match event {
            AccountEvent::Challenge(challenge) => self.handle_challenge(challenge),
            AccountEvent::ChallengeGone(id) => {
                self.queue.retain(|challenge| challenge.id != id);
                self.accepted.remove(&id);
            }
            AccountEvent::GameStart(id) => self.handle_start(id),
            AccountEvent::GameFinish(id) => {
                // Its session reads the same from its own stream; a game without a session leaves its place here.
                self.accepted.remove(&id);
                self.unplayed.retain(|waiting| *waiting != id);
                self.fill_places();
            }
            AccountEvent::Other(_) => {}
        }
    }

    fn handle_challenge(&mut self, challenge: Challenge) {
        let own = challenge.challenger.id.eq_ignore_ascii_case(&self.account.id);
        let known = self.accepted.contains_key(&challenge.id)
            || self.sessions.contains_key(&challenge.id)
            || self.queue.iter().any(|waiting| waiting.id == challenge.id);
        // The site repeats everything when a stream is opened again.
        if own || known {
            return;
        }
        let decision = match self.policy.check(&challenge) {
            Ok(()) if self.client.shutdown().stage() != Stage::Playing => Err(DeclineReason::Later),
            decision => decision,
        };
        if self.dry_run {
            let answer =
                decision.map_or_else(|reason| format!("decline ({})", reason.key()), |()| "accept".into());
            let (id, who) = (challenge.id, challenge.challenger.display_name());
            self.client.log(LogEvent::Would { challenge: id, who, answer });
            return;
        }
        match decision {
            Err(reason) => self.decline(&challenge, reason),
            Ok(()) if self.has_room() => self.accept(&challenge),
            Ok(()) if self.queue.len() < self.policy.queue => {
                let (id, who) = (challenge.id.clone(), challenge.challenger.display_name());
                self.client.log(LogEvent::Queued { challenge: id, who });
                self.queue.push_back(challenge);
            }
            Ok(()) => self.decline(&challenge, DeclineReason::Later),
        }
    }

    /// Accepted challenges that may still become games.
    fn accepted_now(&mut self) -> usize {
        let timeout = self.client.shutdown().scale.apply(START_TIMEOUT);
        self.accepted.retain(|_, since| since.elapsed() < timeout);
        self.accepted.len()
    }

    fn has_room(&mut self) -> bool {
        self.sessions.len() + self.unplayed.len() + self.accepted_now() < self.policy.games
    }

    /// Gives free places to games that already run, then to challenges.
    fn fill_places(&mut self) {
        while self.sessions.len() < self.policy.games {
            let Some(id) = self.unplayed.pop_front() else { break };
            if let Err(id) = self.start_session(id) {
                self.unplayed.push_front(id);
                return;
            }
        }
        while self.client.shutdown().stage() == Stage::Playing && self.has_room() {
            let Some(challenge) = self.queue.pop_front() else { return };
            self.accept(&challenge);
        }
    }

    fn accept(&mut self, challenge: &Challenge) {
        let (id, who) = (challenge.id.clone(), challenge.challenger.display_name());
        match self.client.post(&format!("/api/challenge/{id}/accept"), &[]) {
            Ok(()) => {
                self.accepted.insert(id.clone(), Instant::now());
                self.client.log(LogEvent::Accepted { challenge: id, who });
            }
            Err(error) => self.log_refusal(format!("{id}: accepting"), &error),
        }
    }

    fn decline(&self, challenge: &Challenge, reason: DeclineReason) {
        let (id, who) = (challenge.id.clone(), challenge.challenger.display_name());
        match self.client.post(&format!("/api/challenge/{id}/decline"), &[("reason", reason.key())]) {
            Ok(()) => self.client.log(LogEvent::Declined { challenge: id, who, reason: reason.key() }),
            Err(error) => self.log_refusal(format!("{id}: declining"), &error),
        }
    }

    fn log_refusal(&self, what: String, error: &RequestError) {
        if *error != RequestError::Leaving {
            self.client.log(LogEvent::Refused { what, why: error.to_string() });
        }
    }

    /// A game runs on the site: a challenge that was accepted, or one that started without it (a tournament, a pairing
    /// by the site, a game found at the start).
    fn handle_start(&mut self, id: Identifier) {
        self.accepted.remove(&id);
        if self.dry_run || self.sessions.contains_key(&id) || self.unplayed.contains(&id) {
            return;
        }
        if self.sessions.len() >= self.policy.games {
            self.client.log(LogEvent::Waiting { game: id.clone(), limit: self.policy.games });
            self.unplayed.push_back(id);
            return;
        }
        if let Err(id) = self.start_session(id) {
            self.unplayed.push_back(id);
        }
    }

    /// Plays a game in a thread of its own; gives the game back where the system has none.
    fn start_session(&mut self, id: Identifier) -> Result<(), Identifier> {
        let (client, settings, clock) =
            (Arc::clone(&self.client), self.settings.clone(), Arc::clone(&self.clock));
        let (account, inputs, game) = (self.account.id.clone(), self.inputs.0.clone(), id.clone());
        let session = Builder::new().name(id.to_string()).spawn(move || {
            game::play(&game, &account, &client, &settings, &clock);
            // A bot that has ended needs no message.
            let _ = inputs.send(BotInput::GameEnded(game));
        });
        match session {
            Ok(session) => {
                self.sessions.insert(id, session);
                Ok(())
            }
            Err(error) => {
                let why = format!("no thread to play it in, trying again: {error}");
                self.client.log(LogEvent::Fault { what: id.to_string(), why });
                Err(id)
            }
        }
    }
}
