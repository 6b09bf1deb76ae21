//! The XBoard protocol, version 2, as the GUI speaks it: commands to an engine, and the engine's lines.

use std::time::Duration;

use super::info::{ReportedScore, SearchInfo};

/// The first lines to an engine; it answers with its features.
pub const INTRODUCE: [&str; 2] = ["xboard", "protover 2"];
/// Starts another game.
pub const NEW_GAME: &str = "new";
/// The next game is Chess960.
pub const CHESS960: &str = "variant fischerandom";
/// The engine takes moves without answering.
pub const FORCE: &str = "force";
/// The engine moves for the side to move.
pub const GO: &str = "go";
/// Asks for thinking lines.
pub const POST: &str = "post";
/// Ends the engine.
pub const QUIT: &str = "quit";

/// What the engine said it can do, with the protocol's defaults.
#[derive(Clone, Debug)]
pub struct Features {
    pub ping: bool,
    pub setboard: bool,
    pub usermove: bool,
    pub time: bool,
    pub reuse: bool,
    pub memory: bool,
    pub smp: bool,
    pub name: String,
    variants: String,
    options: Vec<String>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            memory: false,
            smp: false,
            name: String::new(),
            variants: "normal".to_owned(),
            options: Vec::new(),
        }
    }
}

impl Features {
    /// Takes one feature and says what to answer.
    pub fn take(&mut self, name: &str, value: &str) -> String {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "myname" => value.clone_into(&mut self.name),
            "variants" => value.clone_into(&mut self.variants),
            "option" => {
                let option = value.split(" -").next().unwrap_or(value);
                self.options.push(option.trim().to_owned());
            }
            // Moves are exchanged in coordinates.
            "san" => return format!("rejected {name}"),
            _ => {}
        }
        format!("accepted {name}")
    }

    /// Whether the engine plays Chess960.
    pub fn plays_chess960(&self) -> bool {
        self.variants.split(',').any(|variant| variant.trim() == "fischerandom")
    }

    /// The command that sets an option; `Hash` and `Threads` have commands of their own. An unknown name comes back with
    /// the names there are.
    pub fn set_option(&self, name: &str, value: &str) -> Result<String, String> {
        if name.eq_ignore_ascii_case("hash") && self.memory {
            Ok(format!("memory {value}"))
        } else if name.eq_ignore_ascii_case("threads") && self.smp {
            Ok(format!("cores {value}"))
        } else if self.options.iter().any(|option| option.eq_ignore_ascii_case(name)) {
            Ok(if value.is_empty() { format!("option {name}") } else { format!("option {name}={value}") })
        } else {
            Err(format!("no option '{name}'; the engine has: {}", self.options.join(", ")))
        }
    }

    /// The line that plays a move.
    pub fn play(&self, text: &str) -> String {
        if self.usermove { format!("usermove {text}") } else { text.to_owned() }
    }
}

/// Asks for `pong`.
pub fn ping(number: u32) -> String {
    format!("ping {number}")
}

/// Sets up a position.
pub fn set_board(fen: &str) -> String {
    format!("setboard {fen}")
}

/// The mover's remaining time.
pub fn own_time(time: Duration) -> String {
    format!("time {}", time.as_millis() / 10)
}

/// The opponent's remaining time.
pub fn other_time(time: Duration) -> String {
    format!("otim {}", time.as_millis() / 10)
}

/// Pondering on or off.
pub fn ponder(on: bool) -> &'static str {
    if on { "hard" } else { "easy" }
}

/// Tells the result of the game.
pub fn result(result: &str) -> String {
    format!("result {result} {{game over}}")
}

/// The time control of a game: moves in a period (0 for the whole game), its time and the increment.
pub fn level(moves: u32, base: Duration, increment: Duration) -> String {
    let (minutes, seconds) = (base.as_secs() / 60, base.as_secs() % 60);
    let base = if seconds == 0 { minutes.to_string() } else { format!("{minutes}:{seconds:02}") };
    format!("level {moves} {base} {}", increment.as_secs_f64())
}

/// Whole seconds for a move.
pub fn seconds_per_move(time: Duration) -> String {
    format!("st {}", time.as_secs())
}

/// The depth limit.
pub fn depth(plies: u32) -> String {
    format!("sd {plies}")
}

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `feature`: names and values.
    Features(Vec<(String, String)>),
    Pong(u32),
    Move(String),
    Resign,
    OffersDraw,
    /// A complaint about a move, or a claimed result.
    Objection(String),
    /// A thinking line.
    Thinking(SearchInfo),
    /// Anything else; the protocol asks to skip it.
    Other,
}

/// Reads a line of an engine.
pub fn reply(line: &str) -> Reply {
    let text = line.trim();
    if let Some(list) = text.strip_prefix("feature ") {
        Reply::Features(features(list))
    } else if let Some(number) = text.strip_prefix("pong ") {
        number.trim().parse().map_or(Reply::Other, Reply::Pong)
    } else if let Some(mv) = text.strip_prefix("move ") {
        Reply::Move(mv.trim().to_owned())
    } else if text == "resign" {
        Reply::Resign
    } else if text == "offer draw" {
        Reply::OffersDraw
    } else if text.starts_with("Illegal move") || claims_result(text) {
        Reply::Objection(text.to_owned())
    } else if text.starts_with(|first: char| first.is_ascii_digit()) {
        thinking(text).map_or(Reply::Other, Reply::Thinking)
    } else {
        Reply::Other
    }
}

fn claims_result(text: &str) -> bool {
    ["1-0 ", "0-1 ", "1/2-1/2 "].iter().any(|result| text.starts_with(result))
}

/// Depth, score, centiseconds, nodes, moves.
fn thinking(line: &str) -> Option<SearchInfo> {
    let mut words = line.split_whitespace();
    // Some engines write the depth with a mark, as in `12.` or `12+`.
    let depth = words.next()?.trim_end_matches(['.', '+', '&', '#', ' ']).parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let _centiseconds: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score {
        // The protocol's convention: 100000 + moves for a mate.
        100_001.. => ReportedScore::Mate(score - 100_000),
        ..=-100_001 => ReportedScore::Mate(score + 100_000),
        _ => ReportedScore::Centipawns(score),
    };
    Some(SearchInfo { score: Some(score), depth: Some(depth), nodes: Some(nodes), ..SearchInfo::default() })
}

/// `name=value` pairs, values perhaps in quotes.
fn features(list: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = list.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_with_and_without_quotes() {
        let list = "ping=1 myname=\"Crafty 25.2\" setboard=1 option=\"Hash Size -spin 16 1 1024\" done=1";
        let Reply::Features(pairs) = reply(&format!("feature {list}")) else { unreachable!() };
        let names: Vec<&str> = pairs.iter().map(|pair| pair.0.as_str()).collect();
        assert_eq!(names, ["ping", "myname", "setboard", "option", "done"]);
        assert_eq!(pairs[1].1, "Crafty 25.2");
        assert_eq!(pairs[3].1, "Hash Size -spin 16 1 1024");
        assert!(features("garbage").is_empty());
        assert_eq!(features("myname=\"open"), [("myname".to_owned(), "open".to_owned())]);
        let mut known = Features::default();
        assert_eq!(known.take("san", "1"), "rejected san");
        assert_eq!(known.take("option", "Hash Size -spin 16 1 1024"), "accepted option");
        assert_eq!(known.set_option("hash size", "32"), Ok("option hash size=32".to_owned()));
        assert!(known.set_option("Hash", "32").is_err_and(|reason| reason.contains("Hash Size")));
        known.take("memory", "1");
        assert_eq!(known.set_option("Hash", "32"), Ok("memory 32".to_owned()));
        known.take("variants", "normal, fischerandom");
        assert!(known.plays_chess960());
    }

    #[test]
    fn time_controls_in_the_protocols_words() {
        let seconds = Duration::from_secs;
        assert_eq!(level(40, seconds(330), seconds(2)), "level 40 5:30 2");
        assert_eq!(level(0, seconds(180), Duration::ZERO), "level 0 3 0");
        assert_eq!((seconds_per_move(seconds(5)), depth(8)), ("st 5".to_owned(), "sd 8".to_owned()));
        assert_eq!(own_time(Duration::from_millis(1234)), "time 123");
    }

    #[test]
    fn lines_of_engines() {
        let Reply::Thinking(info) = reply("  7. 42 15 12345 e4 e5 Nf3") else { unreachable!() };
        let expected = (Some(7), Some(ReportedScore::Centipawns(42)), Some(12345));
        assert_eq!((info.depth, info.score, info.nodes), expected);
        let Reply::Thinking(info) = reply("8 -100003 20 20000 Kh1") else { unreachable!() };
        assert_eq!(info.score, Some(ReportedScore::Mate(-3)));
        assert_eq!(reply("7 pieces left"), Reply::Other);
        assert_eq!(reply("Hello from the engine 7"), Reply::Other);
        assert_eq!(reply("move e2e4"), Reply::Move("e2e4".into()));
        assert_eq!(reply("pong 3"), Reply::Pong(3));
        assert_eq!(reply("1-0 {White mates}"), Reply::Objection("1-0 {White mates}".into()));
        assert_eq!((reply("resign"), reply("offer draw")), (Reply::Resign, Reply::OffersDraw));
    }
}
