//! One game: events of the site in, searches, moves out.
//!
//! The site's list of moves is the truth. With every event the game is built anew from that list, and a search that no
//! longer fits is ended; so a lost connection, a takeback, or a move sent twice need no special case.
//!
//! While our clock runs, nothing but the move is sent. Answers to offers and chat wait for it; agreeing to a draw is
//! part of the move's own request.

mod answers;
mod chat;
mod search;

use crate::backoff::Backoff;
use crate::client::{Client, RequestError};
use crate::events::{GameEvent, GameFull, GameState, Player};
use crate::identifier::Identifier;
use crate::listen::{StreamEvent, StreamHandle, StreamListener};
use crate::log::{FinishedGame, LogEvent};
use crate::settings::PlaySettings;
use answers::Answer;
use chat::Chat;
use chess::{Color, Game, Move, Position};
use common::clip;
use engine::{Clock, Report};
use search::{GameSearch, Purpose};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Refused moves in one position after which the bot resigns: the site and the engine disagree about the rules.
const MAX_REFUSALS: u32 = 3;
/// Wait after a refused move before the stream is opened anew; the site may send the game's state by itself.
const RESYNC_DELAY: Duration = Duration::from_secs(1);
/// Half-moves before which no draw is agreed.
const SHORTEST_DRAW: usize = 30;
/// How often a shutdown is checked for when nothing else happens.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Before the system is asked for a thread again.
const THREAD_WAIT: Duration = Duration::from_secs(1);

enum GameInput {
    Site(StreamEvent<GameEvent>),
    Search { number: u32, report: Report },
}

/// A move that did not get through.
struct UnsentMove {
    mv: Move,
    due: Instant,
}

/// Facts of the first event that stay true for the whole game.
struct GameInfo {
    side: Color,
    chess960: bool,
    rated: bool,
    has_clock: bool,
    start: Position,
    white: Player,
    black: Player,
}

impl GameInfo {
    fn opponent(&self) -> &Player {
        if self.side.is_white() { &self.black } else { &self.white }
    }
}

/// An offer of the opponent's.
#[derive(Clone, Copy)]
enum Offer {
    Draw,
    Takeback,
}

struct GameSession<'a> {
    id: Identifier,
    account: &'a str,
    client: &'a Client,
    stream: StreamHandle,
    search: GameSearch,
    chat: Chat,
    info: Option<GameInfo>,
    game: Game,
    state: GameState,
    /// When `state` arrived: its clocks are that old.
    state_at: Instant,
    /// Half-moves of the game when our move was sent and accepted.
    sent: Option<usize>,
    unsent: Option<UnsentMove>,
    backoff: Backoff,
    refusals: u32,
    resync: Option<Instant>,
    claim: Option<Instant>,
    /// Half-moves of the game when an offer was last answered, by [`Offer`].
    answered: [Option<usize>; 2],
    /// The next move agrees to a draw or claims it.
    agree_to_draw: bool,
    /// Answers that wait until our clock stops.
    waiting: Vec<Answer>,
    answers: Sender<Answer>,
    over: bool,
}

/// Whether an engine can be made with these settings; the error is a sentence.
pub fn check(settings: &PlaySettings, clock: &Arc<dyn Clock>) -> Result<(), String> {
    search::make_engine(settings, clock).map(|_| ())
}

/// Plays a game to its end, or until the bot leaves.
pub fn play(
    id: &Identifier,
    account: &str,
    client: &Arc<Client>,
    settings: &PlaySettings,
    clock: &Arc<dyn Clock>,
) {
    let (sender, inputs) = channel();
    let reports = sender.clone();
    let sink = move |number, report| {
        // A session that has ended needs no report.
        let _ = reports.send(GameInput::Search { number, report });
    };
    let search = match GameSearch::new(settings, clock, Arc::new(sink)) {
        Ok(search) => search,
        Err(why) => {
            client.log(LogEvent::Fault { what: id.to_string(), why });
            return;
        }
    };
    let stream = StreamHandle::default();
    let (answers, to_send) = channel();
    let mut session = GameSession {
        id: id.clone(),
        account,
        client,
        stream: stream.clone(),
        search,
        chat: Chat::new(settings.greeting.clone()),
        info: None,
        game: Game::default(),
        state: GameState::default(),
        state_at: Instant::now(),
        sent: None,
        unsent: None,
        backoff: Backoff::new(),
        refusals: 0,
        resync: None,
        claim: None,
        answered: [None; 2],
        agree_to_draw: false,
        waiting: Vec::new(),
        answers,
        over: false,
    };
    let handle = stream.clone();
    std::thread::scope(|scope| {
        let fault = |what: &str, error: std::io::Error| {
            let why = format!("no thread to {what}: {error}");
            client.log(LogEvent::Fault { what: id.to_string(), why });
        };
        // A game cannot be played unheard: where the system has no thread, this waits for one.
        while let Err(error) = Builder::new().spawn_scoped(scope, || listen(id, client, &handle, &sender)) {
            fault("listen to it, trying again", error);
            if client.shutdown().leaving() {
                return;
            }
            std::thread::sleep(client.shutdown().scale.apply(THREAD_WAIT));
        }
        if let Err(error) =
            Builder::new().spawn_scoped(scope, move || answers::send_all(id, client, &to_send))
        {
            fault("send chat and draw answers", error);
        }
        while !session.over && !client.shutdown().leaving() {
            match inputs.recv_timeout(session.time_to_next_deadline()) {
                Ok(GameInput::Site(event)) => session.handle_stream(event),
                Ok(GameInput::Search { number, report }) => session.handle_report(number, report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            session.handle_deadlines();
        }
        session.search.stop();
        // The sender of answers ends with the session, the listener with its stream.
        drop(session);
        drop(inputs);
        stream.hang_up();
    });
}

fn listen(id: &Identifier, client: &Client, handle: &StreamHandle, inputs: &Sender<GameInput>) {
    let path = format!("/api/bot/game/stream/{id}");
    let listener = StreamListener { client, path: &path, name: id.to_string(), handle };
    listener.run(GameEvent::parse, GameEvent::is_last, |event| inputs.send(GameInput::Site(event)).is_ok());
}

impl GameSession<'_> {
    fn time_to_next_deadline(&self) -> Duration {
        let due = [self.unsent.as_ref().map(|unsent| unsent.due), self.resync, self.claim];
        let now = Instant::now();
        due.into_iter()
            .flatten()
            .map(|due| due.saturating_duration_since(now))
            .fold(POLL_INTERVAL, Duration::min)
            .max(Duration::from_millis(1))
    }

    /// Now and this time on the scale of the shutdown.
    fn after(&self, time: Duration) -> Instant {
        Instant::now() + self.client.shutdown().scale.apply(time)
    }

    fn handle_stream(&mut self, event: StreamEvent<GameEvent>) {
        match event {
            StreamEvent::Event(GameEvent::Full(full)) => {
                // Everything is sent anew: what was believed sent may not have arrived.
                self.sent = None;
                self.resync = None;
                if self.info.is_none() && !self.join(&full) {
                    return;
                }
                self.update(full.state);
            }
            StreamEvent::Event(GameEvent::State(state)) => self.update(state),
            StreamEvent::Event(GameEvent::Chat { username, text, between_players }) => {
                let ours = username.eq_ignore_ascii_case(self.account);
                if !ours && let Some(text) = self.chat.answer(&text, Instant::now()) {
                    let room = if between_players { "player" } else { "spectator" };
                    self.answer(Answer::Chat { room, text });
                }
            }
            StreamEvent::Event(GameEvent::OpponentGone { claim_in }) => {
                self.claim = claim_in.map(|time| self.after(time));
            }
            StreamEvent::Event(GameEvent::Other(_)) | StreamEvent::Lost => {}
            StreamEvent::Refused(error) => {
                self.log_refusal("the game", &error);
                self.over = true;
            }
        }
    }

    /// Reads who plays; `false` when the game cannot be played here.
    fn join(&mut self, full: &GameFull) -> bool {
        let is_me = |player: &Player| player.id.eq_ignore_ascii_case(self.account);
        let side = match (is_me(&full.white), is_me(&full.black)) {
            (true, _) => Color::White,
            (_, true) => Color::Black,
            _ => return self.cannot_play("the account plays neither side"),
        };
        if !crate::policy::VARIANTS.contains(&full.variant.as_str()) {
            return self.cannot_play(&format!("variant {} is not supported", clip(&full.variant, 20)));
        }
        let start = match full.start.as_deref() {
            None => Position::default(),
            Some(fen) => match Position::from_fen_lenient(fen) {
                Ok((position, _)) => position,
                Err(error) => return self.cannot_play(&format!("start position: {error}")),
            },
        };
        let info = GameInfo {
            side,
            chess960: full.variant == "chess960",
            rated: full.rated,
            has_clock: full.has_clock,
            start,
            white: full.white.clone(),
            black: full.black.clone(),
        };
        self.search.set_opponent(info.opponent());
        self.client.log(LogEvent::Started { game: self.id.clone(), against: info.opponent().display_name() });
        self.info = Some(info);
        let fresh = full.state.moves.split_whitespace().count() < 2 && !full.state.is_over();
        if let Some(text) = self.chat.greeting(Instant::now()).filter(|_| fresh) {
            self.waiting.push(Answer::Chat { room: "player", text });
        }
        true
    }

    fn cannot_play(&mut self, why: &str) -> bool {
        self.client.log(LogEvent::Fault { what: self.id.to_string(), why: why.to_string() });
        self.over = true;
        false
    }

    fn update(&mut self, state: GameState) {
        let Some(info) = &self.info else { return };
        self.state_at = Instant::now();
        let mut game = Game::new(info.start.clone());
        for word in state.moves.split_whitespace() {
            let played = game.position().parse_uci(word).map_err(|error| error.to_string());
            if let Err(error) = played.and_then(|mv| game.play(mv).map_err(|error| error.to_string())) {
                let why = format!("its move {}: {error}", clip(word, 8));
                self.client.log(LogEvent::Fault { what: self.id.to_string(), why });
                self.count_refusal();
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
            self.agree_to_draw = false;
            self.backoff.reset();
        }
        if self.state.is_over() {
            self.finish();
            return;
        }
        self.answer_offers();
        self.continue_search();
        self.release_answers();
    }

    fn is_our_turn(&self) -> bool {
        self.info.as_ref().is_some_and(|info| self.game.position().turn() == info.side)
    }

    fn ply(&self) -> usize {
        self.game.moves().len()
    }

    /// Whether a request other than the move would cost our time.
    fn must_move_first(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.has_clock)
            && self.is_our_turn()
            && self.sent != Some(self.ply())
    }

    /// Starts, keeps or ends a search, by the position.
    fn continue_search(&mut self) {
        let Some(info) = &self.info else { return };
        let limits =
            search::limits(info.has_clock, info.side, &self.state, self.ply(), self.state_at.elapsed());
        if !self.is_our_turn() {
            self.search.ponder(&self.game, &limits);
        } else if self.sent != Some(self.ply()) && self.unsent.is_none() {
            // Threefold repetition or 50 moves: the site waits for a claim.
            self.agree_to_draw |= self.game.outcome().is_some() && self.search.score() <= 0;
            self.search.search_move(&self.game, limits);
        }
    }

    fn handle_report(&mut self, number: u32, report: Report) {
        let Some((purpose, best)) = self.search.take_report(number, report) else { return };
        let Some(mv) = best.filter(|_| purpose == Purpose::Move && self.is_our_turn()) else { return };
        self.send_move(mv);
    }

    fn send_move(&mut self, mv: Move) {
        let chess960 = self.info.as_ref().is_some_and(|info| info.chess960);
        let text = self.game.position().uci(mv, chess960).to_string();
        let san = self.game.position().san(mv).to_string();
        let draw = if self.agree_to_draw { "?offeringDraw=true" } else { "" };
        self.unsent = None;
        match self.client.post_first(&self.path(&format!("move/{text}{draw}"))) {
            Ok(()) => {
                self.sent = Some(self.ply());
                let text = format!("{san} ({})", self.search.score_text());
                self.client.log(LogEvent::Moved { game: self.id.clone(), text });
                self.release_answers();
            }
            Err(RequestError::Leaving) => {}
            Err(RequestError::Unavailable(why)) => {
                let wait = self.backoff.next();
                self.client.log(LogEvent::Lost { what: format!("{} {san}", self.id), why, wait });
                self.unsent = Some(UnsentMove { mv, due: self.after(wait) });
            }
            Err(refused) => {
                self.log_refusal(&format!("the move {text}"), &refused);
                self.count_refusal();
            }
        }
    }

    /// The site and the engine disagree: have the game sent anew; resign if that does not help.
    fn count_refusal(&mut self) {
        self.refusals += 1;
        if self.refusals >= MAX_REFUSALS {
            let why = "the site and the engine disagree about the rules: resigning".to_string();
            self.client.log(LogEvent::Fault { what: self.id.to_string(), why });
            if let Err(error) = self.client.post_first(&self.path("resign")) {
                self.log_refusal("resigning", &error);
            }
            self.over = true;
            return;
        }
        self.resync = Some(self.after(RESYNC_DELAY));
    }

    fn answer_offers(&mut self) {
        let Some(info) = &self.info else { return };
        let (draw, takeback) = match info.side {
            Color::White => (self.state.bdraw, self.state.btakeback),
            Color::Black => (self.state.wdraw, self.state.wtakeback),
        };
        // Takebacks are for people in casual games.
        let allow_takeback = !info.rated && !info.opponent().is_bot();
        if draw && self.is_new(Offer::Draw) {
            let agreed = self.search.score() <= 0 && self.ply() >= SHORTEST_DRAW;
            if self.must_move_first() {
                // The move's request carries the agreement, and a move without it declines.
                self.agree_to_draw |= agreed;
            } else {
                self.answer(Answer::Action(if agreed { "draw/yes" } else { "draw/no" }));
            }
        }
        if takeback && self.is_new(Offer::Takeback) {
            self.answer(Answer::Action(if allow_takeback { "takeback/yes" } else { "takeback/no" }));
        }
    }

    /// Whether an offer was not answered in this position yet; it counts as answered now.
    fn is_new(&mut self, offer: Offer) -> bool {
        let here = Some(self.ply());
        std::mem::replace(&mut self.answered[offer as usize], here) != here
    }

    /// Sends an answer as soon as it costs none of our time.
    fn answer(&mut self, answer: Answer) {
        self.waiting.push(answer);
        self.release_answers();
    }

    fn release_answers(&mut self) {
        if self.must_move_first() {
            return;
        }
        for answer in self.waiting.drain(..) {
            // The thread that sends them ends after this session.
            let _ = self.answers.send(answer);
        }
    }

    fn path(&self, action: &str) -> String {
        format!("/api/bot/game/{}/{action}", self.id)
    }

    fn log_refusal(&self, what: &str, error: &RequestError) {
        if *error != RequestError::Leaving {
            let what = format!("{}: {what}", self.id);
            self.client.log(LogEvent::Refused { what, why: error.to_string() });
        }
    }

    fn handle_deadlines(&mut self) {
        let now = Instant::now();
        let due = |time: &Instant| *time <= now;
        if self.over {
            return;
        }
        if let Some(unsent) = self.unsent.take_if(|unsent| due(&unsent.due)) {
            self.send_move(unsent.mv);
        }
        if self.resync.take_if(|time| due(time)).is_some() {
            self.stream.hang_up();
        }
        if self.claim.take_if(|time| due(time)).is_some() {
            self.answer(Answer::Action("claim-victory"));
        }
    }

    fn finish(&mut self) {
        self.over = true;
        let Some(info) = &self.info else { return };
        let result = match (self.state.winner.as_deref(), self.state.status.as_str()) {
            (Some("white"), _) => "1-0",
            (Some("black"), _) => "0-1",
            (_, "aborted" | "noStart" | "unknownFinish") => "*",
            _ => "1/2-1/2",
        };
        self.client.log(LogEvent::Ended(Box::new(FinishedGame {
            game: self.id.clone(),
            url: self.client.site().url(&format!("/{}", self.id)),
            white: info.white.display_name(),
            black: info.black.display_name(),
            rated: info.rated,
            chess960: info.chess960,
            result,
            reason: clip(&self.state.status, 40),
            moves: self.game.clone(),
        })));
    }
}
