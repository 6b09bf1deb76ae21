//! What a run gets from whoever starts it, and how it ends.

use std::io::Write;

use match_runner::stop::StopFlag;

/// How a run ended, for people and for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Everything asked for was done.
    Complete,
    /// Done, but engines crashed, stalled or broke rules on the way; the report says which.
    WithFaults,
    /// Stopped by the user; the same command goes on from here.
    Interrupted,
}

impl Finish {
    /// The program's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::WithFaults => 3,
            Self::Interrupted => 130,
        }
    }
}

/// What an experiment gets from whoever runs it.
pub struct Session<'a> {
    /// Live progress.
    pub progress: &'a mut dyn Write,
    /// Raised when the user wants out.
    pub stop: StopFlag,
    /// Print a line for every game or task, not only now and then.
    pub verbose: bool,
}

impl Session<'_> {
    /// A line of progress; what an engine or a file put into it cannot begin another one. A closed terminal must not end
    /// a run, so failures to print are ignored.
    pub fn say(&mut self, line: &str) {
        self.say_table(&common::escape_control(line));
    }

    /// Several lines of progress whose names are escaped already.
    pub fn say_table(&mut self, text: &str) {
        self.write(&format!("{text}\n"));
    }

    /// Text as it is, such as an order to the terminal.
    pub fn write(&mut self, text: &str) {
        let _ = self.progress.write_all(text.as_bytes());
        let _ = self.progress.flush();
    }
}

/// A duration as people read it: `3 s`, `12 min`, `2 h 05 min`.
pub fn human_time(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5999 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Session, human_time};
    use match_runner::stop::StopFlag;

    #[test]
    fn a_line_of_progress_stays_one_line() {
        let mut progress = Vec::new();
        let mut session = Session { progress: &mut progress, stop: StopFlag::default(), verbose: false };
        session.say("fault: one\nElo: 900\u{1b}[2J");
        assert_eq!(progress, b"fault: one\\nElo: 900\\u{1b}[2J\n");
    }

    #[test]
    fn durations_as_people_read_them() {
        assert_eq!(human_time(3.4), "3 s");
        assert_eq!(human_time(700.0), "12 min");
        assert_eq!(human_time(7500.0), "2 h 05 min");
    }
}
