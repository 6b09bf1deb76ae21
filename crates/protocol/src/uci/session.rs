//! A session in UCI: a small state machine over the engine.

use super::command::{Command, Position};
use super::extra;
use super::format;
use super::go::Go;
use crate::output::Output;
use crate::session::{Flow, Identity};
use chess::Game;
use common::{clip, escape_control};
use engine::{Engine, Interrupter, MAX_PERFT_DEPTH, OptionTable, Report, Request};
use kernel::{Depth, Limits, PlayClock};

pub struct Session {
    engine: Engine,
    identity: Identity,
    output: Output,
    debug: bool,
    /// The last search ends by `stop` alone.
    is_unbounded: bool,
}

impl Session {
    pub fn new(engine: Engine, identity: Identity, output: Output) -> Session {
        Session { engine, identity, output, debug: false, is_unbounded: false }
    }

    pub(crate) fn interrupter(&self) -> Interrupter {
        self.engine.interrupter()
    }

    pub(crate) fn into_engine(self) -> Engine {
        self.engine
    }

    /// Waits for a search that ends by itself.
    pub(crate) fn wait(&self) {
        if !self.is_unbounded {
            self.engine.wait();
        }
    }

    pub(crate) fn too_long(&self, bytes: usize) -> Flow {
        self.say(&format!("a line of {bytes} bytes is too long to be a command; ignored"));
        Flow::Continue
    }

    /// A message to the user. Control characters in it, which come from outside, are escaped.
    fn say(&self, text: &str) {
        let mut lines = String::new();
        for line in text.lines() {
            lines.push_str("info string ");
            lines.push_str(&escape_control(line));
            lines.push('\n');
        }
        self.output.write(&lines);
    }

    pub(crate) fn handle(&mut self, line: &str) -> Flow {
        match Command::parse(line) {
            Ok(Some(command)) => self.obey(command),
            Ok(None) => Flow::Continue,
            Err(word) => {
                self.say(&format!("unknown command '{}'; 'help' lists the known ones", clip(word, 40)));
                Flow::Continue
            }
        }
    }

    fn obey(&mut self, command: Command<'_>) -> Flow {
        match command {
            Command::Uci => self.identify(),
            Command::Xboard => return Flow::ToXboard,
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.line("readyok"),
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::Register => {}
            Command::NewGame => {
                if let Err(fault) = self.engine.new_game() {
                    self.say(&fault.to_string());
                }
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Quit => return Flow::Quit,
            Command::Perft(depth) => self.perft(depth),
            Command::Bench(words) => {
                self.is_unbounded = false;
                extra::bench(&mut self.engine, &words, self.output.clone());
            }
            Command::SpeedTest(words) => {
                self.is_unbounded = false;
                extra::speed_test(&mut self.engine, &words, self.output.clone());
            }
            Command::Eval => self.output.write(&extra::evaluation(&self.engine)),
            Command::Display => self.output.write(&extra::display(&self.engine)),
            Command::Flip => self.flip(),
            Command::Help => self.output.write(extra::HELP),
            Command::GenFens(words) => self.output.write(&extra::generate_fens(&words)),
        }
        Flow::Continue
    }

    fn identify(&self) {
        let mut text = format!("id name {}\nid author {}\n\n", self.identity.name, self.identity.author);
        for spec in OptionTable::all() {
            text.push_str(&format::option(spec));
            text.push('\n');
        }
        text.push_str("uciok\n");
        self.output.write(&text);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.engine.set_option(name, value) {
            Err(error) => self.say(&error.to_string()),
            Ok(Some(note)) => self.say(&note),
            Ok(None) if self.debug => self.say(&format!("option {name} set")),
            Ok(None) => {}
        }
    }

    fn perft(&mut self, depth: u32) {
        if !(1..=MAX_PERFT_DEPTH).contains(&depth) {
            self.say(&format!("perft: depth {depth}, expected 1 to {MAX_PERFT_DEPTH}"));
            return;
        }
        self.is_unbounded = false;
        extra::perft(&mut self.engine, depth, self.output.clone());
    }

    /// A bad position or move gets an error message, and the last good position stays.
    fn set_position(&mut self, position: &Position<'_>) {
        match read_game(position) {
            Ok((game, remarks)) => {
                for remark in remarks {
                    self.say(&remark);
                }
                self.engine.set_game(game);
            }
            Err(problem) => self.say(&format!("{problem}; the position stays as it was")),
        }
    }

    fn flip(&mut self) {
        match extra::flipped(self.engine.game().position()) {
            Ok(position) => self.engine.set_game(Game::new(position)),
            Err(problem) => self.say(&problem),
        }
    }

    fn go(&mut self, go: &Go<'_>) {
        let request = self.request(go);
        self.is_unbounded = request.limits.infinite || request.limits.ponder;
        let output = self.output.clone();
        let root = self.engine.game().position().clone();
        let settings = self.engine.settings();
        let (chess960, show_wdl) = (settings.chess960, settings.show_wdl);
        let style = format::Style { chess960, show_wdl };
        self.engine.go(
            request,
            Box::new(move |report| match report {
                Report::Information(information) => {
                    output.line(format::information(&information, &root, style));
                }
                Report::Remark(text) => output.line(format!("info string {}", escape_control(&text))),
                Report::Best { best, ponder } => {
                    output.line(format::best_move(best, ponder, &root, chess960));
                }
            }),
        );
    }

    fn request(&self, go: &Go<'_>) -> Request {
        let position = self.engine.game().position();
        let mut search_moves = Vec::new();
        for text in &go.search_moves {
            match position.parse_uci(text) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => self.say(&format!("searchmoves: {error}; skipped")),
            }
        }
        let (ours, theirs) =
            if position.turn().is_white() { (go.white, go.black) } else { (go.black, go.white) };
        let remaining = ours.remaining.or_else(|| {
            let borrowed = theirs.remaining.filter(|_| go.move_time.is_none());
            if borrowed.is_some() {
                self.say("go: the mover's own clock is missing; the opponent's is used");
            }
            borrowed
        });
        let limits = Limits {
            depth: go.depth.map(|depth| Depth::new(depth.clamp(1, 240) as i32)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            mate: go.mate,
            move_time: go.move_time,
            clock: remaining.map(|remaining| PlayClock {
                remaining,
                increment: ours.increment,
                moves_to_go: go.moves_to_go,
            }),
            infinite: go.infinite,
            ponder: go.ponder,
            ..Limits::default()
        };
        // Without any limit a search goes on until it is stopped and gives no best move before.
        let infinite = limits.is_unbounded();
        Request { limits: Limits { infinite, ..limits }, search_moves }
    }
}

fn read_game(position: &Position<'_>) -> Result<(Game, Vec<String>), String> {
    let mut remarks = Vec::new();
    let start = match position.fen {
        None => chess::Position::default(),
        Some(fen) => {
            let (start, repairs) =
                chess::Position::from_fen_lenient(fen).map_err(|error| error.to_string())?;
            remarks.extend(repairs.iter().map(|repair| format!("position: {repair}")));
            start
        }
    };
    let mut game = Game::new(start);
    for (index, text) in position.moves.iter().enumerate() {
        let mv = game
            .position()
            .parse_uci(text)
            .map_err(|error| format!("position: move {}: {error}", index + 1))?;
        game.play(mv).map_err(|error| format!("position: move {}: {error}", index + 1))?;
    }
    Ok((game, remarks))
}
