//! Comments, and the values programs put into them: clocks, elapsed times, evaluations.

use std::fmt;
use std::time::Duration;

/// What stood between braces: the values taken out, the rest as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    pub text: String,
    /// `%clk`: what the mover's clock showed after the move.
    pub clock: Option<Duration>,
    /// `%emt`: what the move took.
    pub elapsed: Option<Duration>,
    /// `%eval`: after the move, from White's side.
    pub evaluation: Option<Evaluation>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    pub worth: Worth,
    pub depth: Option<u16>,
}

/// From White's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    Centipawns(i32),
    /// Moves to mate; negative when Black mates.
    Mate(i32),
}

impl Comment {
    pub fn text(text: &str) -> Comment {
        Comment { text: text.to_string(), ..Comment::default() }
    }

    pub fn is_empty(&self) -> bool {
        *self == Comment::default()
    }

    /// Takes the known commands out of a comment; what it does not understand stays in the text.
    pub fn parse(text: &str) -> Comment {
        let mut comment = Comment::text(text.trim_matches(' '));
        // Taking one out can bring the ends of another together. Each kind is taken once, so this ends.
        while comment.text.contains("[%") && comment.take_commands() {}
        comment
    }

    fn take_commands(&mut self) -> bool {
        let mut kept = String::new();
        let mut taken = false;
        let mut keep = |text: &str| {
            let text = text.trim_matches(' ');
            if !kept.is_empty() && !text.is_empty() {
                kept.push(' ');
            }
            kept.push_str(text);
        };
        let text = std::mem::take(&mut self.text);
        let (mut begin, mut from) = (0, 0);
        while let Some(open) = text[from..].find("[%").map(|at| from + at) {
            from = open + 2;
            // Commands are short; looking further would take for ever in a comment made to that end.
            let mut near = text.as_bytes()[from..].iter().take(LONGEST_COMMAND);
            let Some(close) = near.position(|byte| *byte == b']').map(|at| from + at) else { continue };
            if self.take(&text[from..close]) {
                keep(&text[begin..open]);
                (begin, from) = (close + 1, close + 1);
                taken = true;
            }
        }
        keep(&text[begin..]);
        self.text = kept;
        taken
    }

    fn take(&mut self, command: &str) -> bool {
        let Some((name, value)) = command.split_once(' ') else { return false };
        let value = value.trim_matches(' ');
        match name {
            "clk" => take(&mut self.clock, duration(value)),
            "emt" => take(&mut self.elapsed, duration(value)),
            "eval" => take(&mut self.evaluation, evaluation(value)),
            _ => false,
        }
    }

    /// The values as commands (`[%clk 0:05:00]`), without the text.
    pub fn commands(&self) -> Vec<String> {
        let mut commands = Vec::new();
        if let Some(evaluation) = self.evaluation {
            commands.push(format!("[%eval {evaluation}]"));
        }
        if let Some(elapsed) = self.elapsed {
            commands.push(format!("[%emt {}]", Clock(elapsed)));
        }
        if let Some(clock) = self.clock {
            commands.push(format!("[%clk {}]", Clock(clock)));
        }
        commands
    }
}

/// A slot is filled once; a second value stays in the text.
fn take<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let free = slot.is_none() && value.is_some();
    if free {
        *slot = value;
    }
    free
}

/// Bytes between `[%` and `]`.
const LONGEST_COMMAND: usize = 40;

/// No clock shows ten thousand hours, in seconds.
const LONGEST: u64 = 10_000 * 3600;

/// Hours, minutes and seconds to the millisecond: `0:05:00`, `1:00:59.98`; fewer parts are minutes and seconds.
fn duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| {
        let fits = !text.is_empty() && text.len() <= most && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let mut seconds = 0;
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        seconds = seconds * 60 + digits(part, 6)?;
    }
    if seconds >= LONGEST {
        return None;
    }
    let milliseconds = digits(fraction, 3)? * [100, 10, 1][fraction.len() - 1];
    Some(Duration::from_millis(seconds * 1000 + milliseconds))
}

/// `0.17`, `-1.5`, `#3`, `#-3`, each perhaps with `,depth`.
fn evaluation(text: &str) -> Option<Evaluation> {
    let (worth, depth) = match text.split_once(',') {
        Some((worth, depth)) => (worth.trim_end_matches(' '), Some(depth.trim_matches(' ').parse().ok()?)),
        None => (text, None),
    };
    let worth = match worth.strip_prefix('#') {
        Some(moves) => Worth::Mate(moves.parse().ok()?),
        None => Worth::Centipawns(centipawns(worth)?),
    };
    Some(Evaluation { worth, depth })
}

fn centipawns(text: &str) -> Option<i32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    let pawns: f64 = if plain && text.len() <= 12 { text.parse().ok()? } else { return None };
    Some((pawns * 100.0).round() as i32)
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.worth {
            Worth::Mate(moves) => write!(f, "#{moves}")?,
            Worth::Centipawns(worth) => {
                let sign = if worth < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", worth.unsigned_abs() / 100, worth.unsigned_abs() % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// Hours, minutes, seconds, and as many decimals as there are.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        let decimals = format!("{:03}", self.0.subsec_millis());
        let decimals = decimals.trim_end_matches('0');
        if decimals.is_empty() { Ok(()) } else { write!(f, ".{decimals}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<f64> {
        duration(text).map(|time| time.as_secs_f64())
    }

    #[test]
    fn clocks() {
        for (text, expected) in [
            ("0:05:00", Some(300.0)),
            ("1:00:59.98", Some(3659.98)),
            ("12:34", Some(754.0)),
            ("7.5", Some(7.5)),
            ("0:00:00.123", Some(0.123)),
            ("", None),
            ("a:b", None),
            ("1:2:3:4", None),
            ("0:00:01.1234", None),
            ("-1:00", None),
            ("9999:59:59", Some(35_999_999.0)),
            ("10000:00:00", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn evaluations() {
        for (text, expected) in [
            ("0.17", Some("0.17")),
            ("-1.5", Some("-1.50")),
            ("+0.3", Some("0.30")),
            ("-0.05,22", Some("-0.05,22")),
            ("#3", Some("#3")),
            ("#-12,40", Some("#-12,40")),
            ("nan", None),
            ("1e9", None),
            ("0.1,x", None),
            ("", None),
        ] {
            assert_eq!(evaluation(text).map(|e| e.to_string()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn commands_leave_the_text() {
        let comment = Comment::parse("good [%eval 0.25] [%csl Ga1] move [%clk 0:01:00.5] here ");
        assert_eq!(comment.text, "good [%csl Ga1] move here");
        assert_eq!(comment.clock, Some(Duration::from_millis(60_500)));
        assert_eq!(comment.commands(), ["[%eval 0.25]", "[%clk 0:01:00.5]"]);
    }

    #[test]
    fn a_comment_of_openings_takes_no_longer_than_another() {
        let text = "[%".repeat(1_000_000) + "]";
        assert_eq!(Comment::parse(&text), Comment::text(&text));
    }

    #[test]
    fn what_is_not_understood_stays() {
        for text in ["[%clk soon]", "[%clk", "[%", "[%foo 1]", "[%clk]"] {
            assert_eq!(Comment::parse(text), Comment::text(text));
        }
        let twice = Comment::parse("[%clk 0:00:01] [%clk 0:00:02]");
        assert_eq!((twice.clock, twice.text.as_str()), (Some(Duration::from_secs(1)), "[%clk 0:00:02]"));
    }
}
