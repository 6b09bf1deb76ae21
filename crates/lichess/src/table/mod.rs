//! One game: what the site tells, what the engine finds, what is sent back.
//!
//! The site's list of moves is the truth. Whatever arrives, the game is made anew from it, and a search that no longer
//! fits is ended; so a lost wire, a move taken back, or a move sent twice need no treatment of their own.

mod chat;
mod thinking;

use crate::backoff::Backoff;
use crate::client::{Client, Trouble};
use crate::identity::Identifier;
use crate::listen::{Heard, Listener, Receiver};
use crate::notes::{Finished, Note};
use crate::wire::{Full, GameEvent, Person, State, clip};
use chat::Chat;
use chess::{Color, Game, Move, Position};
use engine::{Clock, Report};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use thinking::{Purpose, Thinker};

/// Refusals of moves in one position before the game is given up: the site and we disagree about the rules.
const REFUSALS: u32 = 3;
/// After a refused move, the site's own account of the game is waited for so long before it is asked for.
const RESYNC: Duration = Duration::from_secs(1);
/// Half-moves before which a draw by agreement is no game.
const SHORTEST_DRAW: usize = 30;
/// How often the operator's orders are looked at when nothing else happens.
const GLANCE: Duration = Duration::from_millis(200);

/// How the engine plays its games.
#[derive(Clone, Debug)]
pub struct TableSettings {
    pub threads: usize,
    pub hash_megabytes: usize,
    /// Kept back from every move for the way to the site and back.
    pub overhead: Duration,
    pub ponder: bool,
    /// Engine options, by name, set in this order.
    pub options: Vec<(String, String)>,
    /// Said once at the start of a game.
    pub greeting: Option<String>,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            threads: 1,
            hash_megabytes: 64,
            overhead: Duration::from_millis(300),
            ponder: true,
            options: Vec::new(),
            greeting: None,
        }
    }
}

enum Mail {
    Site(Heard<GameEvent>),
    Search { number: u32, report: Report },
}

/// A move that did not get through.
struct Unsent {
    mv: Move,
    due: Instant,
}

/// What is known since the site's first line.
struct Seat {
    side: Color,
    chess960: bool,
    rated: bool,
    has_clock: bool,
    start: Position,
    white: Person,
    black: Person,
}

impl Seat {
    fn opponent(&self) -> &Person {
        if self.side.is_white() { &self.black } else { &self.white }
    }
}

pub struct Table<'a> {
    id: Identifier,
    account: &'a str,
    client: &'a Client,
    receiver: Receiver,
    thinker: Thinker,
    chat: Chat,
    seat: Option<Seat>,
    game: Game,
    state: State,
    heard_at: Instant,
    /// Half-moves on the board when our move was sent and taken.
    sent: Option<usize>,
    unsent: Option<Unsent>,
    backoff: Backoff,
    refusals: u32,
    resync: Option<Instant>,
    claim: Option<Instant>,
    /// Half-moves on the board when an offer was last answered: of a draw, of a move back.
    answered: [Option<usize>; 2],
    over: bool,
}

/// Whether an engine can be had with these settings; why not is a sentence.
pub fn check(settings: &TableSettings, clock: &Arc<dyn Clock>) -> Result<(), String> {
    thinking::engine_for(settings, clock).map(|_| ())
}

/// Plays a game to its end, or until the operator leaves.
pub fn play(
    id: &Identifier,
    account: &str,
    client: &Arc<Client>,
    settings: &TableSettings,
    clock: &Arc<dyn Clock>,
) {
    let (mail, box_of_mail) = channel();
    let thinker = match Thinker::new(settings, clock, mail.clone()) {
        Ok(thinker) => thinker,
        Err(why) => {
            client.tell(Note::Trouble { what: id.to_string(), why });
            return;
        }
    };
    let receiver = Receiver::default();
    let mut table = Table {
        id: id.clone(),
        account,
        client,
        receiver: receiver.clone(),
        thinker,
        chat: Chat::new(settings.greeting.clone()),
        seat: None,
        game: Game::default(),
        state: State::default(),
        heard_at: Instant::now(),
        sent: None,
        unsent: None,
        backoff: Backoff::new(),
        refusals: 0,
        resync: None,
        claim: None,
        answered: [None; 2],
        over: false,
    };
    std::thread::scope(|scope| {
        let wire = receiver.clone();
        scope.spawn(move || listen(id, client, &wire, &mail));
        while !table.over && !client.orders().leaving() {
            match box_of_mail.recv_timeout(table.patience()) {
                Ok(Mail::Site(heard)) => table.hear(heard),
                Ok(Mail::Search { number, report }) => table.think_on(number, report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            table.keep_time();
        }
        table.thinker.stop();
        // The listener may be waiting for a line that never comes.
        drop(box_of_mail);
        receiver.hang_up();
    });
}

fn listen(id: &Identifier, client: &Client, receiver: &Receiver, mail: &Sender<Mail>) {
    let path = format!("/api/bot/game/stream/{id}");
    let listener = Listener { client, path: &path, what: id.to_string(), receiver };
    listener.run(GameEvent::parse, GameEvent::is_last, |heard| mail.send(Mail::Site(heard)).is_ok());
}

impl Table<'_> {
    fn patience(&self) -> Duration {
        let due = [self.unsent.as_ref().map(|unsent| unsent.due), self.resync, self.claim];
        let now = Instant::now();
        due.into_iter()
            .flatten()
            .map(|due| due.saturating_duration_since(now))
            .fold(GLANCE, Duration::min)
            .max(Duration::from_millis(1))
    }

    fn paced(&self, time: Duration) -> Instant {
        Instant::now() + self.client.orders().pace.of(time)
    }

    fn hear(&mut self, heard: Heard<GameEvent>) {
        match heard {
            Heard::Event(GameEvent::Full(full)) => {
                // Told anew: whatever was believed to be under way is looked at again.
                self.sent = None;
                self.resync = None;
                if self.seat.is_none() && !self.sit(&full) {
                    return;
                }
                self.update(full.state);
            }
            Heard::Event(GameEvent::State(state)) => self.update(state),
            Heard::Event(GameEvent::Chat { username, text, between_players }) => {
                let ours = username.eq_ignore_ascii_case(self.account);
                if !ours && let Some(answer) = self.chat.answer(&text, Instant::now()) {
                    self.say(&answer, if between_players { "player" } else { "spectator" });
                }
            }
            Heard::Event(GameEvent::OpponentGone { claim_in }) => {
                self.claim = claim_in.map(|time| self.paced(time));
            }
            Heard::Event(GameEvent::Other(_)) | Heard::Lost => {}
            Heard::Refused(trouble) => {
                self.note_refusal("the game", &trouble);
                self.over = true;
            }
        }
    }

    /// Reads who plays what; a game that is not ours to play is left alone.
    fn sit(&mut self, full: &Full) -> bool {
        let is_me = |person: &Person| person.id.eq_ignore_ascii_case(self.account);
        let side = match (is_me(&full.white), is_me(&full.black)) {
            (true, _) => Color::White,
            (_, true) => Color::Black,
            _ => return self.cannot_play("neither side is ours"),
        };
        if !crate::policy::VARIANTS.contains(&full.variant.as_str()) {
            return self
                .cannot_play(&format!("a variant this engine does not know: {}", clip(&full.variant, 20)));
        }
        let start = match full.start.as_deref() {
            None => Position::default(),
            Some(fen) => match Position::from_fen_lenient(fen) {
                Ok((position, _)) => position,
                Err(error) => return self.cannot_play(&format!("its start: {error}")),
            },
        };
        let seat = Seat {
            side,
            chess960: full.variant == "chess960",
            rated: full.rated,
            has_clock: full.has_clock,
            start,
            white: full.white.clone(),
            black: full.black.clone(),
        };
        self.thinker.meet(seat.opponent());
        self.client.tell(Note::Started { game: self.id.clone(), against: seat.opponent().label() });
        self.seat = Some(seat);
        let fresh = full.state.moves.split_whitespace().count() < 2 && !full.state.is_over();
        if let Some(greeting) = self.chat.greeting(Instant::now()).filter(|_| fresh) {
            self.say(&greeting, "player");
        }
        true
    }

    fn cannot_play(&mut self, why: &str) -> bool {
        self.client.tell(Note::Trouble { what: self.id.to_string(), why: why.to_string() });
        self.over = true;
        false
    }

    fn update(&mut self, state: State) {
        let Some(seat) = &self.seat else { return };
        self.heard_at = Instant::now();
        let mut game = Game::new(seat.start.clone());
        for word in state.moves.split_whitespace() {
            let played = game.position().parse_uci(word).map_err(|error| error.to_string());
            if let Err(error) = played.and_then(|mv| game.play(mv).map_err(|error| error.to_string())) {
                // Told wrongly, or rules that differ: the site is asked again, and not for ever.
                let why = format!("its move {}: {error}", clip(word, 8));
                self.client.tell(Note::Garbled { what: self.id.to_string(), why });
                self.disagree();
                return;
            }
        }
        let changed = game.moves() != self.game.moves();
        self.game = game;
        self.state = state;
        if changed {
            self.sent = None;
            self.refusals = 0;
            self.resync = None;
            self.unsent = None;
            self.backoff.reset();
        }
        if self.state.is_over() {
            self.finish();
            return;
        }
        self.answer_offers();
        self.go_on();
    }

    fn is_our_turn(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| self.game.position().turn() == seat.side)
    }

    fn ply(&self) -> usize {
        self.game.moves().len()
    }

    /// Starts, keeps or ends a search, by what is on the board.
    fn go_on(&mut self) {
        let Some(seat) = &self.seat else { return };
        let limits =
            thinking::limits(seat.has_clock, seat.side, &self.state, self.ply(), self.heard_at.elapsed());
        if !self.is_our_turn() {
            self.thinker.ponder(&self.game, &limits);
        } else if self.sent != Some(self.ply()) && self.unsent.is_none() {
            self.claim_draw();
            self.thinker.think(&self.game, limits);
        }
    }

    /// Three times the same, or fifty moves: the site waits for a claim, and we make it when we are not better off. The
    /// search goes on meanwhile: should the site see it otherwise, no time is lost.
    fn claim_draw(&mut self) {
        let here = Some(self.ply());
        if self.game.outcome().is_some() && self.thinker.opinion() <= 0 && self.answered[0] != here {
            self.answered[0] = here;
            self.courtesy("draw/yes");
        }
    }

    fn think_on(&mut self, number: u32, report: Report) {
        let Some((purpose, best)) = self.thinker.take(number, report) else { return };
        let Some(mv) = best.filter(|_| purpose == Purpose::Move && self.is_our_turn()) else { return };
        self.send(mv);
    }

    fn send(&mut self, mv: Move) {
        let chess960 = self.seat.as_ref().is_some_and(|seat| seat.chess960);
        let text = self.game.position().uci(mv, chess960).to_string();
        let san = self.game.position().san(mv).to_string();
        self.unsent = None;
        match self.request(&format!("move/{text}"), &[]) {
            Ok(()) => {
                self.sent = Some(self.ply());
                let text = format!("{san} ({})", self.thinker.opinion_text());
                self.client.tell(Note::Moved { game: self.id.clone(), text });
            }
            Err(Trouble::Leaving) => {}
            Err(Trouble::Away(why)) => {
                let wait = self.backoff.next();
                self.client.tell(Note::Lost { what: format!("{} {san}", self.id), why, wait });
                self.unsent = Some(Unsent { mv, due: self.paced(wait) });
            }
            Err(refused) => {
                self.note_refusal(&format!("the move {text}"), &refused);
                self.disagree();
            }
        }
    }

    /// The site and we do not agree: have it tell the game again; give up if that does not help.
    fn disagree(&mut self) {
        self.refusals += 1;
        if self.refusals >= REFUSALS {
            let why = "the site and the engine disagree about the rules: resigning".to_string();
            self.client.tell(Note::Trouble { what: self.id.to_string(), why });
            if let Err(trouble) = self.request("resign", &[]) {
                self.note_refusal("resigning", &trouble);
            }
            self.over = true;
            return;
        }
        self.resync = Some(self.paced(RESYNC));
    }

    fn answer_offers(&mut self) {
        let Some(seat) = &self.seat else { return };
        let (draw, takeback) = match seat.side {
            Color::White => (self.state.bdraw, self.state.btakeback),
            Color::Black => (self.state.wdraw, self.state.wtakeback),
        };
        // A move back is a courtesy between people; in rated games nobody gets it.
        let courteous = !seat.rated && !seat.opponent().is_bot();
        let here = Some(self.ply());
        if draw && self.answered[0] != here {
            self.answered[0] = here;
            let agreed = self.thinker.opinion() <= 0 && self.ply() >= SHORTEST_DRAW;
            self.courtesy(if agreed { "draw/yes" } else { "draw/no" });
        }
        if takeback && self.answered[1] != here {
            self.answered[1] = here;
            self.courtesy(if courteous { "takeback/yes" } else { "takeback/no" });
        }
    }

    fn courtesy(&mut self, what: &str) {
        if let Err(trouble) = self.request(what, &[]) {
            self.note_refusal(what, &trouble);
        }
    }

    fn say(&mut self, text: &str, room: &str) {
        if let Err(trouble) = self.request("chat", &[("room", room), ("text", text)]) {
            self.note_refusal("chat", &trouble);
        }
    }

    fn request(&self, what: &str, form: &[(&str, &str)]) -> Result<(), Trouble> {
        self.client.post(&format!("/api/bot/game/{}/{what}", self.id), form).map(|_| ())
    }

    fn note_refusal(&self, what: &str, trouble: &Trouble) {
        if *trouble != Trouble::Leaving {
            let what = format!("{}: {what}", self.id);
            self.client.tell(Note::Refused { what, why: trouble.to_string() });
        }
    }

    /// What has come due.
    fn keep_time(&mut self) {
        let now = Instant::now();
        let due = |time: &Instant| *time <= now;
        if self.over {
            return;
        }
        if let Some(unsent) = self.unsent.take_if(|unsent| due(&unsent.due)) {
            self.send(unsent.mv);
        }
        if self.resync.take_if(|time| due(time)).is_some() {
            self.receiver.hang_up();
        }
        if self.claim.take_if(|time| due(time)).is_some() {
            self.courtesy("claim-victory");
        }
    }

    fn finish(&mut self) {
        self.over = true;
        let Some(seat) = &self.seat else { return };
        let result = match (self.state.winner.as_deref(), self.state.status.as_str()) {
            (Some("white"), _) => "1-0",
            (Some("black"), _) => "0-1",
            (_, "aborted" | "noStart" | "unknownFinish") => "*",
            _ => "1/2-1/2",
        };
        self.client.tell(Note::Ended(Box::new(Finished {
            game: self.id.clone(),
            url: self.client.site().url(&format!("/{}", self.id)),
            white: seat.white.label(),
            black: seat.black.label(),
            rated: seat.rated,
            chess960: seat.chess960,
            result,
            reason: clip(&self.state.status, 40),
            moves: self.game.clone(),
        })));
    }
}
