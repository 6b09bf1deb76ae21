//! A session in XBoard's protocol. Here the engine keeps the game: it knows whose move it is, plays its own moves and
//! ponders by itself.

use super::command::Command;
use super::opponent::AnnouncedOpponent;
use super::thinking::{Purpose, Thinking};
use super::timing::Timing;
use super::{features, notation};
use crate::output::Output;
use crate::session::{Flow, Identity, Waker};
use chess::{Color, Game, Move, Position};
use common::{clip, escape_control};
use engine::{Engine, Interrupter, Request};
use kernel::Limits;
use std::collections::VecDeque;
use std::sync::Arc;

pub struct Session {
    engine: Engine,
    identity: Identity,
    output: Output,
    waker: Waker,
    game: Game,
    /// The side the engine plays; `None` in force mode.
    plays: Option<Color>,
    timing: Timing,
    post: bool,
    ponder: bool,
    analyzing: bool,
    excluded: Vec<Move>,
    thinking: Option<Thinking>,
    /// The expected reply to the engine's last move.
    expected: Option<Move>,
    /// As announced, and as the engine was told last.
    opponent: AnnouncedOpponent,
    told_opponent: String,
    /// Pings to answer when the move in progress is made.
    pings: Vec<String>,
    /// Lines behind such a ping.
    waiting: VecDeque<String>,
}

/// Lines kept while a ping waits for its answer.
const MAX_WAITING: usize = 1000;

impl Session {
    pub(crate) fn new(engine: Engine, identity: Identity, output: Output, waker: Waker) -> Session {
        Session {
            engine,
            identity,
            output,
            waker,
            game: Game::default(),
            plays: Some(Color::Black),
            timing: Timing::default(),
            post: false,
            ponder: false,
            analyzing: false,
            excluded: Vec::new(),
            thinking: None,
            expected: None,
            opponent: AnnouncedOpponent::default(),
            told_opponent: String::new(),
            pings: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    pub(crate) fn interrupter(&self) -> Interrupter {
        self.engine.interrupter()
    }

    pub(crate) fn into_engine(self) -> Engine {
        self.engine
    }

    pub(crate) fn too_long(&self, bytes: usize) -> Flow {
        self.output.line(format!("Error (line too long): {bytes} bytes"));
        Flow::Continue
    }

    pub(crate) fn handle(&mut self, line: &str) -> Flow {
        self.absorb();
        match Command::parse(line) {
            Ok(Some(command @ (Command::Quit | Command::MoveNow))) => self.obey(&command),
            Ok(_) if !self.pings.is_empty() => self.keep(line),
            Ok(Some(command)) => self.obey(&command),
            Ok(None) => Flow::Continue,
            Err(problem) => {
                self.output.line(problem);
                Flow::Continue
            }
        }
    }

    /// A line behind a ping is obeyed after the answer.
    fn keep(&mut self, line: &str) -> Flow {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(line.to_string());
        } else {
            self.output.line("Error (too many commands before the answer to ping): ignored");
        }
        Flow::Continue
    }

    /// A search may have ended: plays its move, answers pings and obeys the lines behind them.
    pub(crate) fn settle(&mut self) -> Flow {
        self.absorb();
        while !self.is_making_move() {
            for token in std::mem::take(&mut self.pings) {
                self.output.line(format!("pong {token}"));
                self.start_pondering();
            }
            let Some(line) = self.waiting.pop_front() else { break };
            let flow = self.handle(&line);
            if flow != Flow::Continue {
                return flow;
            }
        }
        Flow::Continue
    }

    /// A ping waits for the end of a search.
    pub(crate) fn owes_pong(&self) -> bool {
        !self.pings.is_empty()
    }

    /// Waits for a move in progress.
    pub(crate) fn wait(&self) {
        if self.is_making_move() {
            self.engine.wait();
        }
    }

    fn is_making_move(&self) -> bool {
        self.thinking.as_ref().map(Thinking::purpose) == Some(Purpose::Move)
    }

    fn obey(&mut self, command: &Command<'_>) -> Flow {
        match *command {
            Command::Uci => return Flow::ToUci,
            Command::Quit => return Flow::Quit,
            Command::ProtocolVersion(version) if version >= 2 => {
                self.output.write(&features::lines(&self.identity));
            }
            Command::Xboard
            | Command::ProtocolVersion(_)
            | Command::Accepted
            | Command::Ignored
            | Command::OpponentTime(_) => {}
            Command::Name(name) => name.clone_into(&mut self.opponent.name),
            Command::Rating(_, theirs) => self.opponent.rating = theirs,
            Command::Computer => self.opponent.is_computer = true,
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(name),
            Command::Force | Command::Result(_) => {
                self.abandon();
                self.plays = None;
            }
            Command::Go => {
                self.abandon();
                self.plays = Some(self.game.position().turn());
                self.think();
            }
            Command::PlayOther => {
                self.abandon();
                self.plays = Some(!self.game.position().turn());
            }
            Command::Level(level) => {
                self.timing.level = level;
                self.timing.per_move = None;
            }
            Command::SecondsPerMove(time) => self.timing.per_move = Some(time),
            Command::Depth(depth) => self.timing.depth = Some(depth),
            Command::NodesPerSecond(nodes) => {
                self.set_option("nodestime", &(nodes / 1000).max(u64::from(nodes > 0)).to_string());
            }
            Command::Time(time) => self.timing.remaining = Some(time),
            Command::Move(text) => self.opponent_move(text),
            Command::MoveNow => self.engine.stop(),
            Command::Ping(token) => self.ping(token),
            Command::Draw => self.answer_draw_offer(),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Hint => {
                if let Some(mv) = self.expected.filter(|&mv| self.game.position().is_legal(mv)) {
                    self.output.line(format!(
                        "Hint: {}",
                        notation::write(self.game.position(), mv, self.chess960())
                    ));
                }
            }
            Command::Book => self.output.line(" no book moves\n"),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Ponder(on) => {
                self.ponder = on;
                if !on
                    && matches!(self.thinking.as_ref().map(Thinking::purpose), Some(Purpose::Ponder { .. }))
                {
                    self.abandon();
                }
            }
            Command::Post(on) => self.post = on,
            Command::Analyze => {
                self.abandon();
                self.analyzing = true;
                self.plays = None;
                self.analyze();
            }
            Command::Exit => {
                self.abandon();
                self.analyzing = false;
                self.excluded.clear();
            }
            Command::Status => self.status(),
            Command::Exclude(text) => self.exclude(text, true),
            Command::Include(text) => self.exclude(text, false),
            Command::Memory(megabytes) => self.set_option("Hash", &megabytes.max(1).to_string()),
            Command::Cores(cores) => self.set_option("Threads", &cores.max(1).to_string()),
            Command::TablePath { kind, path } => {
                if kind == "syzygy" {
                    self.set_option("SyzygyPath", path);
                }
            }
            Command::Option { name, value } => self.set_option(name, value.unwrap_or_default()),
        }
        Flow::Continue
    }

    fn chess960(&self) -> bool {
        self.engine.settings().chess960
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.abandon();
        match self.engine.set_option(name, Some(value)) {
            Err(error) => {
                self.output.line(format!("Error (bad option): {}", escape_control(&error.to_string())));
            }
            Ok(Some(note)) => self.output.line(format!("# {note}")),
            Ok(None) => {}
        }
        self.resume_analysis();
    }

    fn new_game(&mut self) {
        self.abandon();
        if let Err(fault) = self.engine.new_game() {
            self.output.line(format!("# {fault}"));
        }
        self.game = Game::default();
        self.plays = Some(Color::Black);
        self.timing.depth = None;
        self.timing.remaining = None;
        self.analyzing = false;
        self.excluded.clear();
        self.expected = None;
        self.opponent = AnnouncedOpponent::default();
        self.set_option("UCI_Chess960", "false");
    }

    fn variant(&mut self, name: &str) {
        match name {
            "normal" => self.set_option("UCI_Chess960", "false"),
            "fischerandom" => self.set_option("UCI_Chess960", "true"),
            _ => self.output.line(format!("Error (unsupported variant): {}", clip(name, 40))),
        }
    }

    /// Plays the move of a search that has ended.
    fn absorb(&mut self) {
        let Some((best, ponder)) = self.thinking.as_ref().and_then(Thinking::take_move) else { return };
        self.engine.wait();
        self.thinking = None;
        self.expected = None;
        if let Some(mv) = best
            && self.game.play(mv).is_ok()
        {
            self.expected = ponder.filter(|&reply| self.game.position().is_legal(reply));
            self.announce_end();
        }
    }

    /// Ends a running search without output.
    fn abandon(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.set_purpose(Purpose::Abandoned);
            self.engine.finish();
        }
    }

    fn start(&mut self, game: Game, request: Request, purpose: Purpose) {
        let thinking = Thinking::new(purpose);
        let root = game.position().clone();
        let listener =
            thinking.listener(self.output.clone(), Arc::clone(&self.waker), root, self.post, self.chess960());
        self.thinking = Some(thinking);
        self.engine.set_game(game);
        self.engine.go(request, listener);
    }

    /// The engine's own moves so far.
    fn moves_made(&self) -> u32 {
        (self.game.moves().len() / 2) as u32
    }

    fn think(&mut self) {
        if self.game.outcome().is_some() {
            self.announce_end();
            return;
        }
        self.tell_opponent();
        let limits = self.timing.limits(self.moves_made(), false);
        self.start(self.game.clone(), Request::new(limits), Purpose::Move);
    }

    /// Before a move, and not with each command: setting an option would end a search that is running.
    fn tell_opponent(&mut self) {
        let value = self.opponent.uci_value();
        if value != self.told_opponent {
            self.set_option("UCI_Opponent", &value);
            self.told_opponent = value;
        }
    }

    fn analyze(&mut self) {
        if !self.game.position().has_legal_move() {
            return;
        }
        let search_moves = if self.excluded.is_empty() {
            Vec::new()
        } else {
            let legal = self.game.position().legal_moves();
            legal.iter().copied().filter(|mv| !self.excluded.contains(mv)).collect()
        };
        let request = Request { limits: Limits { infinite: true, ..Limits::default() }, search_moves };
        self.start(self.game.clone(), request, Purpose::Analysis);
    }

    fn resume_analysis(&mut self) {
        if self.analyzing && self.thinking.is_none() {
            self.analyze();
        }
    }

    fn opponent_move(&mut self, text: &str) {
        let Some(mv) = notation::read(self.game.position(), text) else {
            self.output.line(format!("Illegal move: {text}"));
            return;
        };
        let hit = matches!(
            self.thinking.as_ref().map(Thinking::purpose),
            Some(Purpose::Ponder { expected }) if expected == mv
        );
        if !hit {
            self.abandon();
        }
        if self.game.play(mv).is_err() {
            return;
        }
        self.excluded.clear();
        if let Some(thinking) = self.thinking.as_ref().filter(|_| hit) {
            thinking.set_purpose(Purpose::Move);
            self.engine.ponder_hit();
            return;
        }
        if self.plays == Some(self.game.position().turn()) {
            self.think();
        } else {
            self.announce_end();
            self.resume_analysis();
        }
    }

    /// Starts to ponder on the expected reply.
    fn start_pondering(&mut self) {
        let our_turn_next = self.plays == Some(!self.game.position().turn());
        if !self.ponder || !our_turn_next || self.thinking.is_some() {
            return;
        }
        let Some(expected) = self.expected else { return };
        let mut game = self.game.clone();
        if game.play(expected).is_err() || game.outcome().is_some() {
            return;
        }
        let limits = self.timing.limits(self.moves_made(), true);
        self.start(game, Request::new(limits), Purpose::Ponder { expected });
    }

    /// The protocol wants everything before the ping to be done, a move in progress included.
    fn ping(&mut self, token: &str) {
        self.pings.push(token.to_string());
    }

    fn answer_draw_offer(&mut self) {
        let last = self.thinking.as_ref().and_then(Thinking::last);
        // A draw is accepted when the engine is not better, from move 30 on.
        if last.is_some_and(|information| information.score.value() <= 0) && self.game.moves().len() >= 60 {
            self.output.line("offer draw");
        }
    }

    fn set_board(&mut self, fen: &str) {
        match Position::from_fen_lenient(fen) {
            Ok((position, _)) => {
                self.abandon();
                self.game = Game::new(position);
                self.expected = None;
                self.resume_analysis();
            }
            Err(error) => self.output.line(format!("tellusererror Illegal position: {error}")),
        }
    }

    fn take_back(&mut self, plies: usize) {
        self.abandon();
        for _ in 0..plies {
            if self.game.take_back().is_none() {
                self.output.line("Error (no move to take back): undo");
                break;
            }
        }
        self.expected = None;
        self.resume_analysis();
    }

    fn exclude(&mut self, text: &str, out: bool) {
        self.abandon();
        let legal = self.game.position().legal_moves();
        let named: Vec<Move> = match text {
            "all" => legal.to_vec(),
            text => notation::read(self.game.position(), text).into_iter().collect(),
        };
        if named.is_empty() {
            self.output.line(format!("Illegal move: {text}"));
        }
        for mv in named {
            self.excluded.retain(|&known| known != mv);
            if out {
                self.excluded.push(mv);
            }
        }
        self.resume_analysis();
    }

    fn status(&self) {
        let Some(last) = self.thinking.as_ref().and_then(Thinking::last) else { return };
        let moves = self.game.position().legal_moves().len();
        self.output.line(format!(
            "stat01: {} {} {} 0 {moves}",
            last.time.as_millis() / 10,
            last.nodes,
            last.depth
        ));
    }

    fn announce_end(&self) {
        if let Some(outcome) = self.game.outcome() {
            self.output.line(format!("{} {{{outcome}}}", outcome.result()));
        }
    }
}
