//! The account: challenges in, games out.

use crate::account::Account;
use crate::client::{Client, Told, Trouble};
use crate::identity::Identifier;
use crate::listen::{Heard, Listener, Receiver};
use crate::notes::Note;
use crate::orders::{Orders, Pace, Stage};
use crate::policy::{Policy, Reason};
use crate::site::Site;
use crate::table::{self, TableSettings};
use crate::token::Token;
use crate::wire::{Challenge, Incoming};
use engine::Clock;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver as Mailbox, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// An accepted challenge becomes a game within this time, or its place is free again.
const SOON: Duration = Duration::from_secs(30);
/// How often promises are looked at when nothing else happens.
const GLANCE: Duration = Duration::from_secs(1);

pub struct Config {
    pub site: Site,
    pub token: Token,
    pub policy: Policy,
    pub table: TableSettings,
    /// Listen and tell what would be answered, but answer nothing.
    pub dry_run: bool,
    pub pace: Pace,
}

enum Errand {
    Site(Heard<Incoming>),
    TableLeft(Identifier),
    Pressed(Stage),
}

pub struct Bot {
    client: Arc<Client>,
    account: Account,
    policy: Policy,
    settings: TableSettings,
    dry_run: bool,
    clock: Arc<dyn Clock>,
    errands: (Sender<Errand>, Mailbox<Errand>),
    tables: HashMap<Identifier, JoinHandle<()>>,
    /// Accepted, and not yet begun.
    promised: HashMap<Identifier, Instant>,
    waiting: VecDeque<Challenge>,
}

/// For whoever hears the operator.
#[derive(Clone)]
pub struct Handle {
    orders: Arc<Orders>,
    errands: Sender<Errand>,
}

impl Handle {
    /// Once: no new games. Twice: now.
    pub fn press(&self) -> Stage {
        let stage = self.orders.press();
        // A bot that is gone needs no telling.
        let _ = self.errands.send(Errand::Pressed(stage));
        stage
    }
}

impl Bot {
    /// Finds out whose token it is, and whether the engine can be had as wanted.
    pub fn connect(config: Config, clock: Arc<dyn Clock>, tell: Told) -> Result<Bot, Trouble> {
        table::check(&config.table, &clock).map_err(Trouble::Away)?;
        let orders = Arc::new(Orders::new(config.pace));
        let client = Arc::new(Client::new(config.site, config.token, orders, tell));
        let account = Account::fetch(&client)?;
        Ok(Bot {
            client,
            account,
            policy: config.policy,
            settings: config.table,
            dry_run: config.dry_run,
            clock,
            errands: channel(),
            tables: HashMap::new(),
            promised: HashMap::new(),
            waiting: VecDeque::new(),
        })
    }

    pub fn account(&self) -> &Account {
        &self.account
    }

    pub fn handle(&self) -> Handle {
        Handle { orders: Arc::clone(self.client.orders()), errands: self.errands.0.clone() }
    }

    /// Makes the account a bot's for ever.
    pub fn upgrade(&self) -> Result<(), Trouble> {
        self.client.post("/api/bot/account/upgrade", &[]).map(|_| ())
    }

    /// Plays until the operator has had enough or the site does not know the token any more.
    pub fn run(mut self) -> Result<(), Trouble> {
        let receiver = Receiver::default();
        let (client, errands, wire) = (Arc::clone(&self.client), self.errands.0.clone(), receiver.clone());
        let listener = std::thread::spawn(move || {
            let listener = Listener {
                client: &client,
                path: "/api/stream/event",
                what: "events".into(),
                receiver: &wire,
            };
            listener.run(Incoming::parse, |_| false, |heard| errands.send(Errand::Site(heard)).is_ok());
        });
        self.client.tell(Note::Listening { account: self.account.username.clone() });
        let end = self.work();
        let left = self.tables.len();
        self.client.orders().set(Stage::Leaving);
        receiver.hang_up();
        for (_, table) in self.tables.drain() {
            // A table that failed has ended all the same.
            let _ = table.join();
        }
        let _ = listener.join();
        self.client.tell(Note::Left { games: left });
        end
    }

    fn work(&mut self) -> Result<(), Trouble> {
        loop {
            // The sender stays with us: a wait ends with an errand or with its time.
            let errand = self.errands.1.recv_timeout(GLANCE);
            match errand {
                Ok(Errand::Site(Heard::Event(event))) => self.hear(event),
                Ok(Errand::Site(Heard::Lost)) | Err(_) => {}
                Ok(Errand::Site(Heard::Refused(trouble))) => return Err(trouble),
                Ok(Errand::TableLeft(id)) => {
                    if let Some(table) = self.tables.remove(&id) {
                        let _ = table.join();
                    }
                    self.serve_waiting();
                }
                Ok(Errand::Pressed(Stage::Leaving)) => return Ok(()),
                Ok(Errand::Pressed(_)) => {
                    self.client.tell(Note::Finishing { games: self.tables.len() });
                    while let Some(challenge) = self.waiting.pop_front() {
                        self.decline(&challenge, Reason::Later);
                    }
                }
            }
            if self.client.orders().stage() != Stage::Playing && self.tables.is_empty() && !self.promises() {
                return Ok(());
            }
        }
    }

    fn hear(&mut self, event: Incoming) {
        match event {
            Incoming::Challenge(challenge) => self.challenged(challenge),
            Incoming::ChallengeGone(id) => {
                self.waiting.retain(|challenge| challenge.id != id);
                self.promised.remove(&id);
            }
            Incoming::GameStart(id) => self.start(id),
            Incoming::GameFinish(id) => {
                // Its table hears the same; one that never began leaves its place.
                self.promised.remove(&id);
                self.serve_waiting();
            }
            Incoming::Other(_) => {}
        }
    }

    fn challenged(&mut self, challenge: Challenge) {
        let own = challenge.challenger.id.eq_ignore_ascii_case(&self.account.id);
        let known = self.promised.contains_key(&challenge.id)
            || self.tables.contains_key(&challenge.id)
            || self.waiting.iter().any(|waiting| waiting.id == challenge.id);
        // The site repeats everything when a stream is opened again.
        if own || known {
            return;
        }
        let verdict = match self.policy.judge(&challenge) {
            Ok(()) if self.client.orders().stage() != Stage::Playing => Err(Reason::Later),
            verdict => verdict,
        };
        if self.dry_run {
            let answer =
                verdict.map_or_else(|reason| format!("decline ({})", reason.key()), |()| "accept".into());
            let (id, who) = (challenge.id, challenge.challenger.label());
            self.client.tell(Note::Would { challenge: id, who, answer });
            return;
        }
        match verdict {
            Err(reason) => self.decline(&challenge, reason),
            Ok(()) if self.has_room() => self.accept(&challenge),
            Ok(()) if self.waiting.len() < self.policy.queue => {
                let (id, who) = (challenge.id.clone(), challenge.challenger.label());
                self.client.tell(Note::Queued { challenge: id, who });
                self.waiting.push_back(challenge);
            }
            Ok(()) => self.decline(&challenge, Reason::Later),
        }
    }

    fn has_room(&mut self) -> bool {
        let soon = self.client.orders().pace.of(SOON);
        self.promised.retain(|_, since| since.elapsed() < soon);
        self.tables.len() + self.promised.len() < self.policy.games
    }

    fn promises(&mut self) -> bool {
        let soon = self.client.orders().pace.of(SOON);
        self.promised.retain(|_, since| since.elapsed() < soon);
        !self.promised.is_empty()
    }

    fn serve_waiting(&mut self) {
        while self.client.orders().stage() == Stage::Playing && self.has_room() {
            let Some(challenge) = self.waiting.pop_front() else { return };
            self.accept(&challenge);
        }
    }

    fn accept(&mut self, challenge: &Challenge) {
        let (id, who) = (challenge.id.clone(), challenge.challenger.label());
        match self.client.post(&format!("/api/challenge/{id}/accept"), &[]) {
            Ok(_) => {
                self.promised.insert(id.clone(), Instant::now());
                self.client.tell(Note::Accepted { challenge: id, who });
            }
            Err(trouble) => self.refused(format!("{id}: accepting"), &trouble),
        }
    }

    fn decline(&self, challenge: &Challenge, reason: Reason) {
        let (id, who) = (challenge.id.clone(), challenge.challenger.label());
        match self.client.post(&format!("/api/challenge/{id}/decline"), &[("reason", reason.key())]) {
            Ok(_) => self.client.tell(Note::Declined { challenge: id, who, reason: reason.key() }),
            Err(trouble) => self.refused(format!("{id}: declining"), &trouble),
        }
    }

    fn refused(&self, what: String, trouble: &Trouble) {
        if *trouble != Trouble::Leaving {
            self.client.tell(Note::Refused { what, why: trouble.to_string() });
        }
    }

    /// A game of ours runs: begun now, or found running at the start.
    fn start(&mut self, id: Identifier) {
        self.promised.remove(&id);
        if self.dry_run || self.tables.contains_key(&id) {
            return;
        }
        let (client, settings, clock) =
            (Arc::clone(&self.client), self.settings.clone(), Arc::clone(&self.clock));
        let (account, errands, game) = (self.account.id.clone(), self.errands.0.clone(), id.clone());
        let table = std::thread::spawn(move || {
            table::play(&game, &account, &client, &settings, &clock);
            // A bot that is gone needs no telling.
            let _ = errands.send(Errand::TableLeft(game));
        });
        self.tables.insert(id, table);
    }
}
