//! The state of the double: games, challenges, a record of requests, and faults to produce.

use super::ACCOUNT;
use chess::{Color, Game, Position};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

#[derive(Clone, Debug)]
pub enum Answer {
    Status(u16, String),
    /// The connection ends without a word.
    HangUp,
    /// Lines without end.
    Stream,
}

#[derive(Clone, Debug)]
pub struct Asked {
    pub at: Instant,
    pub method: String,
    pub path: String,
    pub body: String,
}

/// Who plays against the bot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Opponent {
    /// Any legal move, at once.
    Random,
    /// Moves when the test says so.
    Test,
}

pub struct Setup {
    pub bot: Color,
    pub opponent: Opponent,
    pub fen: Option<&'static str>,
    pub variant: &'static str,
    pub rated: bool,
    pub moves: &'static str,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            bot: Color::White,
            opponent: Opponent::Random,
            fen: None,
            variant: "standard",
            rated: false,
            moves: "",
        }
    }
}

struct Fault {
    /// In "METHOD path".
    part: String,
    times: u32,
    answer: Answer,
    /// Do what was asked all the same.
    execute: bool,
}

struct SiteGame {
    setup: Setup,
    game: Game,
    status: String,
    winner: Option<&'static str>,
    offers: Vec<&'static str>,
    lines: Vec<String>,
    /// Raised to cut its streams.
    cuts: u32,
}

#[derive(Default)]
struct Inner {
    events: Vec<String>,
    challenges: BTreeMap<String, Value>,
    /// Becomes a game with this setup when accepted.
    planned: BTreeMap<String, Setup>,
    games: BTreeMap<String, SiteGame>,
    asked: Vec<Asked>,
    faults: Vec<Fault>,
    /// Parts of requests that get no answer.
    held: Vec<String>,
    cuts: u32,
    opened: u32,
    random: u64,
}

#[derive(Default)]
pub struct World(Mutex<Inner>);

/// One open stream: what of it has been sent.
pub struct Reader {
    game: Option<String>,
    first: Vec<String>,
    next: usize,
    cuts: u32,
}

impl Reader {
    pub fn lines(&mut self, world: &World) -> Vec<String> {
        let inner = world.inner();
        let all = match &self.game {
            None => &inner.events,
            Some(id) => &inner.games[id].lines,
        };
        let mut lines = std::mem::take(&mut self.first);
        lines.extend_from_slice(&all[self.next..]);
        self.next = all.len();
        lines
    }

    pub fn is_cut(&self, world: &World) -> bool {
        let inner = world.inner();
        self.cuts != self.game.as_ref().map_or(inner.cuts, |id| inner.games[id].cuts)
    }

    pub fn is_over(&self, world: &World) -> bool {
        let inner = world.inner();
        self.game
            .as_ref()
            .is_some_and(|id| inner.games[id].status != "started" && self.next == inner.games[id].lines.len())
    }
}

impl World {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    pub fn open(&self, path: &str) -> Reader {
        let mut inner = self.inner();
        inner.opened += u32::from(path == "/api/stream/event");
        if let Some(id) = path.strip_prefix("/api/bot/game/stream/") {
            let game = &inner.games[id];
            let (first, next, cuts) = (vec![game.full(id)], game.lines.len(), game.cuts);
            return Reader { game: Some(id.to_string()), first, next, cuts };
        }
        let challenges = inner
            .challenges
            .values()
            .map(|challenge| json!({ "type": "challenge", "challenge": challenge }).to_string());
        let running = inner.games.iter().filter(|(_, game)| game.status == "started");
        let first = challenges.chain(running.map(|(id, _)| start_line(id))).collect();
        Reader { game: None, first, next: inner.events.len(), cuts: inner.cuts }
    }

    // What tests do to the world.

    /// The next `times` requests whose method and path contain `part` are answered so.
    pub fn fault(&self, part: &str, times: u32, answer: Answer) {
        self.inner().faults.push(Fault { part: part.to_string(), times, answer, execute: false });
    }

    /// As above, but what was asked is done: the answer alone is lost.
    pub fn lose_answer(&self, part: &str) {
        let part = part.to_string();
        self.inner().faults.push(Fault { part, times: 1, answer: Answer::HangUp, execute: true });
    }

    pub fn challenge(&self, id: &str, changes: &Value, plan: Setup) {
        let mut challenge = json!({
            "id": id, "status": "created", "rated": plan.rated, "speed": "blitz",
            "challenger": { "id": "someone", "name": "Someone", "rating": 1500 },
            "variant": { "key": plan.variant }, "timeControl": { "type": "clock", "limit": 180, "increment": 2 },
        });
        for (name, value) in changes.as_object().unwrap() {
            challenge[name] = value.clone();
        }
        let mut inner = self.inner();
        inner.events.push(json!({ "type": "challenge", "challenge": challenge }).to_string());
        inner.challenges.insert(id.to_string(), challenge);
        inner.planned.insert(id.to_string(), plan);
    }

    pub fn cancel(&self, id: &str) {
        let mut inner = self.inner();
        inner.challenges.remove(id);
        inner.events.push(json!({ "type": "challengeCanceled", "challenge": { "id": id } }).to_string());
    }

    pub fn begin(&self, id: &str, setup: Setup) {
        self.inner().begin(id, setup);
    }

    /// A game whose start no event announces.
    pub fn begin_unannounced(&self, id: &str, setup: Setup) {
        let mut inner = self.inner();
        inner.begin(id, setup);
        inner.events.pop();
    }

    /// A move of the opponent's that no event announces.
    pub fn play_unannounced(&self, id: &str, text: &str) {
        let mut inner = self.inner();
        let game = inner.games.get_mut(id).unwrap();
        game.play(text);
        game.lines.pop();
    }

    /// A move of the opponent's together with an offer.
    pub fn play_and_offer(&self, id: &str, text: &str, what: &'static str) {
        let mut inner = self.inner();
        let game = inner.games.get_mut(id).unwrap();
        game.offers = vec![what];
        game.play(text);
    }

    /// Requests whose method and path contain `part` get no answer.
    pub fn hold(&self, part: &str) {
        self.inner().held.push(part.to_string());
    }

    pub fn is_held(&self, method: &str, path: &str) -> bool {
        let line = format!("{method} {path}");
        self.inner().held.iter().any(|part| line.contains(part))
    }

    /// A move of the opponent's, in a game the test plays.
    pub fn play(&self, id: &str, text: &str) {
        let mut inner = self.inner();
        inner.games.get_mut(id).unwrap().play(text);
    }

    /// Takes the last `count` half-moves back.
    pub fn take_back(&self, id: &str, count: usize) {
        let mut inner = self.inner();
        let game = inner.games.get_mut(id).unwrap();
        for _ in 0..count {
            game.game.take_back();
        }
        game.offers.clear();
        game.settle();
    }

    pub fn offer(&self, id: &str, what: &'static str) {
        let mut inner = self.inner();
        let game = inner.games.get_mut(id).unwrap();
        game.offers = vec![what];
        game.settle();
    }

    pub fn end(&self, id: &str, status: &str, winner: Option<&'static str>) {
        let mut inner = self.inner();
        inner.finish(id, status, winner);
    }

    /// A line as it is, on the stream of a game or of the account.
    pub fn inject(&self, game: Option<&str>, line: &str) {
        let mut inner = self.inner();
        match game {
            None => inner.events.push(line.to_string()),
            Some(id) => inner.games.get_mut(id).unwrap().lines.push(line.to_string()),
        }
    }

    /// Ends the open streams of a game or of the account in the middle of a line.
    pub fn cut(&self, game: Option<&str>) {
        let mut inner = self.inner();
        match game {
            None => inner.cuts += 1,
            Some(id) => inner.games.get_mut(id).unwrap().cuts += 1,
        }
    }

    // What tests look at.

    /// Streams of the account's events that were really opened.
    pub fn opened(&self) -> u32 {
        self.inner().opened
    }

    pub fn asked(&self, part: &str) -> Vec<Asked> {
        let inner = self.inner();
        inner.asked.iter().filter(|asked| asked.line().contains(part)).cloned().collect()
    }

    pub fn status(&self, id: &str) -> String {
        self.inner().games.get(id).map(|game| game.status.clone()).unwrap_or_default()
    }

    pub fn moves(&self, id: &str) -> Vec<String> {
        self.inner().games.get(id).map(SiteGame::moves).unwrap_or_default()
    }

    // What the bot asks of it.

    pub fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let mut inner = self.inner();
        let asked = Asked {
            at: Instant::now(),
            method: method.to_string(),
            path: path.to_string(),
            body: body.to_string(),
        };
        let line = asked.line();
        inner.asked.push(asked);
        if let Some(fault) =
            inner.faults.iter_mut().find(|fault| fault.times > 0 && line.contains(&fault.part))
        {
            fault.times -= 1;
            let (answer, execute) = (fault.answer.clone(), fault.execute);
            if execute {
                inner.execute(method, path);
            }
            return answer;
        }
        inner.execute(method, path)
    }
}

impl Asked {
    fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

fn fine() -> Answer {
    Answer::Status(200, r#"{"ok":true}"#.to_string())
}

fn no(status: u16, why: &str) -> Answer {
    Answer::Status(status, json!({ "error": why }).to_string())
}

fn start_line(id: &str) -> String {
    json!({ "type": "gameStart", "game": { "fullId": format!("{id}abcd"), "gameId": id, "id": id } })
        .to_string()
}

impl Inner {
    fn execute(&mut self, method: &str, path: &str) -> Answer {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let words: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (method, words.as_slice()) {
            ("GET", ["api", "account"]) => {
                let account = json!({ "id": ACCOUNT, "username": "TabiyaBot", "title": "BOT" });
                Answer::Status(200, account.to_string())
            }
            ("GET", ["api", "stream", "event"]) => Answer::Stream,
            ("GET", ["api", "bot", "game", "stream", id]) if self.games.contains_key(*id) => Answer::Stream,
            ("POST", ["api", "challenge", id, "accept"]) => match self.challenges.remove(*id) {
                Some(_) => {
                    let setup = self.planned.remove(*id).unwrap();
                    self.begin(id, setup);
                    fine()
                }
                None => no(404, "No such challenge"),
            },
            ("POST", ["api", "challenge", id, "decline"]) => match self.challenges.remove(*id) {
                Some(_) => fine(),
                None => no(404, "No such challenge"),
            },
            ("POST", ["api", "bot", "game", id, rest @ ..]) if self.games.contains_key(*id) => {
                self.in_game(id, rest, query == "offeringDraw=true")
            }
            _ => no(404, "Not found"),
        }
    }

    fn in_game(&mut self, id: &str, words: &[&str], agrees: bool) -> Answer {
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let random = (self.random >> 33) as usize;
        let Some(game) = self.games.get_mut(id) else { return no(404, "No such game") };
        if game.status != "started" {
            return no(400, "Not your turn, or game already over");
        }
        match words {
            ["move", text] => {
                if game.game.position().turn() != game.setup.bot {
                    return no(400, "Not your turn, or game already over");
                }
                let Ok(mv) = game.game.position().parse_uci(text) else {
                    return no(400, &format!("Piece on {text} cannot move so"));
                };
                // As the site does it: the agreement or claim counts before the move is played.
                let offered = game.offers.iter().any(|offer| offer.ends_with("draw"));
                if agrees && (offered || game.game.outcome().is_some()) {
                    self.finish(id, "draw", None);
                    return fine();
                }
                game.game.play(mv).unwrap();
                game.offers.clear();
                game.settle();
                if game.setup.opponent == Opponent::Random && game.status == "started" {
                    let moves = game.game.position().legal_moves();
                    let mv = moves[random % moves.len()];
                    game.game.play(mv).unwrap();
                    game.settle();
                }
                if game.status != "started" {
                    let line = json!({ "type": "gameFinish", "game": { "gameId": id } }).to_string();
                    self.events.push(line);
                }
                fine()
            }
            ["resign"] => {
                let winner = if game.setup.bot.is_white() { "black" } else { "white" };
                self.finish(id, "resign", Some(winner));
                fine()
            }
            ["draw", "yes"] => {
                let offered = game.offers.iter().any(|offer| offer.ends_with("draw"));
                if offered || game.game.outcome().is_some() {
                    self.finish(id, "draw", None);
                }
                fine()
            }
            ["claim-victory"] => {
                let winner = if game.setup.bot.is_white() { "white" } else { "black" };
                self.finish(id, "timeout", Some(winner));
                fine()
            }
            ["draw" | "takeback", _] | ["chat" | "abort"] => fine(),
            _ => no(404, "Not found"),
        }
    }

    fn begin(&mut self, id: &str, setup: Setup) {
        let start = setup.fen.map_or_else(Position::default, |fen| Position::from_fen(fen).unwrap());
        let mut game = Game::new(start);
        for word in setup.moves.split_whitespace() {
            let mv = game.position().parse_uci(word).unwrap();
            game.play(mv).unwrap();
        }
        if setup.opponent == Opponent::Random && game.position().turn() != setup.bot {
            let mv = game.position().legal_moves()[0];
            game.play(mv).unwrap();
        }
        let started = SiteGame {
            setup,
            game,
            status: "started".into(),
            winner: None,
            offers: Vec::new(),
            lines: Vec::new(),
            cuts: 0,
        };
        self.games.insert(id.to_string(), started);
        self.events.push(start_line(id));
    }

    fn finish(&mut self, id: &str, status: &str, winner: Option<&'static str>) {
        let game = self.games.get_mut(id).unwrap();
        game.status = status.to_string();
        game.winner = winner;
        let line = game.state().to_string();
        game.lines.push(line);
        self.events.push(json!({ "type": "gameFinish", "game": { "gameId": id } }).to_string());
    }
}

impl SiteGame {
    fn moves(&self) -> Vec<String> {
        let chess960 = self.setup.variant == "chess960";
        let positions = self.game.positions();
        self.game.moves().iter().zip(positions).map(|(mv, at)| at.uci(*mv, chess960).to_string()).collect()
    }

    fn play(&mut self, text: &str) {
        let mv = self.game.position().parse_uci(text).unwrap();
        self.game.play(mv).unwrap();
        self.settle();
    }

    /// After a move: mate and stalemate end the game, repetition does not, and the players are told.
    fn settle(&mut self) {
        let position = self.game.position();
        if !position.has_legal_move() {
            let winner = if position.turn().is_white() { "black" } else { "white" };
            self.status = if position.in_check() { "mate" } else { "stalemate" }.to_string();
            self.winner = position.in_check().then_some(winner);
        } else if position.is_insufficient_material() || self.game.moves().len() >= 400 {
            self.status = "draw".to_string();
        }
        let line = self.state().to_string();
        self.lines.push(line);
    }

    fn state(&self) -> Value {
        let mut state = json!({
            "type": "gameState", "moves": self.moves().join(" "), "status": self.status,
            "wtime": 1200, "btime": 1200, "winc": 0, "binc": 0,
        });
        if let Some(winner) = self.winner {
            state["winner"] = json!(winner);
        }
        for offer in &self.offers {
            state[*offer] = json!(true);
        }
        state
    }

    fn full(&self, id: &str) -> String {
        let bot = json!({ "id": ACCOUNT, "name": "TabiyaBot", "title": "BOT", "rating": 2000 });
        let other = json!({ "id": "someone", "name": "Someone", "rating": 1500, "title": null });
        let (white, black) = if self.setup.bot.is_white() { (bot, other) } else { (other, bot) };
        json!({
            "type": "gameFull", "id": id, "rated": self.setup.rated, "speed": "blitz",
            "variant": { "key": self.setup.variant }, "clock": { "initial": 180_000, "increment": 2000 },
            "white": white, "black": black, "initialFen": self.setup.fen.unwrap_or("startpos"), "state": self.state(),
        })
        .to_string()
    }
}
