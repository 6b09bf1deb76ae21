//! One engine process: lines in, lines out, with a time stamp on every line and a deadline on every wait.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::signals;
use super::stop::StopFlag;
use super::transcript::{Direction, Transcript};

/// Lines an engine may be ahead of its reader; beyond that it waits, so chatter cannot fill our memory.
const QUEUE: usize = 4096;
/// The longest line kept; the rest of a longer one is dropped.
const LINE_LIMIT: usize = 64 * 1024;
/// Lines of standard error kept to explain a crash.
const STDERR_LINES: usize = 12;
/// How often a wait looks at the stop flag.
const SLICE: Duration = Duration::from_millis(50);
/// Lines kept from before a transcript begins: the introduction and the options.
const EARLY_LINES: usize = 500;
/// How long a process may take to leave when asked.
const FAREWELL: Duration = Duration::from_millis(500);

/// How to start a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    pub command: PathBuf,
    pub arguments: Vec<String>,
    pub directory: Option<PathBuf>,
}

/// A line and when it arrived.
#[derive(Debug)]
pub struct Line {
    pub text: String,
    pub at: Instant,
}

/// A running engine. Dropping it ends its whole process group.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    stderr_reader: Option<JoinHandle<()>>,
    exit: Option<ExitStatus>,
    stop: StopFlag,
    transcript: Option<(String, Transcript)>,
    early: Vec<(Instant, Direction, String)>,
}

impl EngineProcess {
    /// Starts the process in its own group.
    pub fn start(launch: &Launch, stop: StopFlag) -> Result<Self, Fault> {
        let mut command = Command::new(&launch.command);
        command.args(&launch.arguments);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        signals::isolate(&mut command);
        let mut child = command
            .spawn()
            .map_err(|error| Fault::Start { detail: format!("{}: {error}", launch.command.display()) })?;
        let (sender, lines) = sync_channel(QUEUE);
        let (stdin, stdout, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let tail = Arc::clone(&stderr);
        // From here on the process ends with this value, also when a reader is refused.
        let mut process = Self {
            stdin,
            child,
            lines,
            stderr,
            stderr_reader: None,
            exit: None,
            stop,
            transcript: None,
            early: Vec::new(),
        };
        if let Some(stdout) = stdout {
            reader(move || forward(stdout, &sender))?;
        }
        if let Some(errors) = errors {
            process.stderr_reader = Some(reader(move || keep_tail(errors, &tail))?);
        }
        Ok(process)
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// From now on every line goes to the transcript under this name; what was said before the first one comes first.
    pub fn record(&mut self, name: &str, transcript: Option<Transcript>) {
        if let Some(transcript) = &transcript {
            for (at, direction, text) in self.early.drain(..) {
                transcript.line(name, at, direction, &text);
            }
        }
        self.transcript = transcript.map(|transcript| (name.to_owned(), transcript));
    }

    fn note(&mut self, at: Instant, direction: Direction, text: &str) {
        match &self.transcript {
            Some((name, transcript)) => transcript.line(name, at, direction, text),
            None if self.early.len() < EARLY_LINES => self.early.push((at, direction, text.to_owned())),
            None => {}
        }
    }

    /// Sends one line.
    pub fn send(&mut self, text: &str) -> Result<(), Fault> {
        self.note(Instant::now(), Direction::ToEngine, text);
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        let sent = match self.stdin.as_mut() {
            Some(stdin) => stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok(),
            None => false,
        };
        if sent { Ok(()) } else { Err(self.disconnected()) }
    }

    /// The next line, or `None` when none came before `deadline`.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        loop {
            if self.stop.is_raised() {
                return Err(Fault::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => {
                    self.note(line.at, Direction::FromEngine, &line.text);
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.disconnected()),
                Err(RecvTimeoutError::Timeout) if left <= SLICE => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops lines that arrived while nobody asked.
    pub fn discard_pending(&mut self) {
        for _ in 0..QUEUE {
            let Ok(line) = self.lines.try_recv() else { break };
            self.note(line.at, Direction::FromEngine, &line.text);
        }
    }

    /// Whether the process can still answer.
    pub fn is_running(&mut self) -> bool {
        self.exit.is_none() && matches!(self.child.try_wait(), Ok(None))
    }

    /// Describes how the process ended, with the last words it wrote to standard error.
    fn disconnected(&mut self) -> Fault {
        // The output may close a moment before the process is gone and its last words are read.
        let deadline = Instant::now() + Duration::from_millis(200);
        let heard = |reader: &Option<JoinHandle<()>>| reader.as_ref().is_none_or(JoinHandle::is_finished);
        while (self.exit.is_none() || !heard(&self.stderr_reader)) && Instant::now() < deadline {
            if self.exit.is_none() {
                match self.child.try_wait() {
                    Ok(status) => self.exit = status,
                    Err(_) => break,
                }
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut detail =
            self.exit.map_or_else(|| "closed its output".to_owned(), |status| status.to_string());
        if let Ok(tail) = self.stderr.lock()
            && !tail.is_empty()
        {
            let words: Vec<&str> = tail.iter().map(String::as_str).collect();
            detail.push_str("; it wrote: ");
            detail.push_str(&words.join(" | "));
        }
        Fault::Disconnected { detail }
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        if self.exit.is_none() {
            signals::kill_group(&self.child);
            // A group that could not be signalled still has its leader.
            let _ = self.child.kill();
            self.exit = self.child.wait().ok();
        }
        self.stdin = None;
    }

    /// Asks the process to leave with `farewell`, then makes sure it has.
    pub fn quit(&mut self, farewell: &str) {
        if self.exit.is_none() && self.send(farewell).is_ok() {
            self.stdin = None;
            let deadline = Instant::now() + FAREWELL;
            while Instant::now() < deadline {
                // Not reaped through `try_wait` on purpose when still running: the group must be killable.
                match self.child.try_wait() {
                    Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                    Ok(Some(status)) => {
                        self.exit = Some(status);
                        return;
                    }
                    Err(_) => break,
                }
            }
        }
        self.kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A thread that reads what an engine writes. The system may refuse one.
fn reader(read: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Fault> {
    std::thread::Builder::new()
        .spawn(read)
        .map_err(|error| Fault::Start { detail: format!("no thread to read its output: {error}") })
}

/// Reads lines until the stream ends or nobody listens.
fn forward(stream: impl Read, sender: &SyncSender<Line>) {
    let mut reader = BufReader::new(stream);
    while let Some(text) = read_line(&mut reader) {
        if sender.send(Line { text, at: Instant::now() }).is_err() {
            break;
        }
    }
}

fn keep_tail(stream: impl Read, tail: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(stream);
    while let Some(text) = read_line(&mut reader) {
        if let Ok(mut tail) = tail.lock() {
            if tail.len() == STDERR_LINES {
                tail.pop_front();
            }
            tail.push_back(text.chars().take(200).collect());
        }
    }
}

/// One line without its end, whatever bytes it holds; `None` at the end of the stream. Control characters but the tab are
/// escaped: parts of the line end up in terminals, games and reports.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = reader.fill_buf().ok()?;
        if buffer.is_empty() {
            return any.then(|| shown(&line));
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = LINE_LIMIT.saturating_sub(line.len());
        line.extend_from_slice(&buffer[..taken.min(room)]);
        reader.consume(end.map_or(taken, |place| place + 1));
        if end.is_some() {
            return Some(shown(&line));
        }
    }
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end().split('\t').map(common::escape_control).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> EngineProcess {
        let launch = Launch {
            command: PathBuf::from("/bin/sh"),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            directory: None,
        };
        EngineProcess::start(&launch, StopFlag::default()).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[test]
    fn lines_arrive_in_order_without_their_ends() {
        let mut process = shell("printf 'one\\r\\ntwo\\n'; read word; echo \"got $word\"");
        assert_eq!(process.next_line(soon()).unwrap().unwrap().text, "one");
        assert_eq!(process.next_line(soon()).unwrap().unwrap().text, "two");
        process.send("hello").unwrap();
        assert_eq!(process.next_line(soon()).unwrap().unwrap().text, "got hello");
    }

    #[test]
    fn control_characters_are_shown_and_tabs_stay() {
        let mut process = shell("printf 'id name\\ta\\033[2J\\rb\\000\\302\\205c\\r\\n'; printf '\\007' >&2");
        let line = process.next_line(soon()).unwrap().unwrap().text;
        assert_eq!(line, "id name\ta\\u{1b}[2J\\rb\\u{0}\\u{85}c");
        let fault = process.next_line(soon()).unwrap_err().to_string();
        assert!(fault.contains("it wrote: \\u{7}"), "{fault}");
    }

    #[test]
    fn a_transcript_has_every_line_and_what_came_before() {
        let path = std::env::temp_dir().join(format!("tabiya-transcript-{}/game.log", std::process::id()));
        let mut process = shell("echo ready; read word; echo \"got $word\"");
        process.next_line(soon()).unwrap();
        process.record("Sh", Some(Transcript::create(&path).unwrap()));
        process.send("hello").unwrap();
        process.next_line(soon()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let said: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(' ').map(|(_, rest)| rest)).collect();
        assert_eq!(said, ["Sh < ready", "Sh > hello", "Sh < got hello"]);
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn silence_ends_at_the_deadline() {
        let mut process = shell("sleep 30");
        let begin = Instant::now();
        assert!(process.next_line(begin + Duration::from_millis(120)).unwrap().is_none());
        let waited = begin.elapsed();
        assert!(waited >= Duration::from_millis(120) && waited < Duration::from_secs(3), "{waited:?}");
    }

    #[test]
    fn a_crash_carries_its_status_and_last_words() {
        let mut process = shell("echo 'out of luck' >&2; exit 7");
        std::thread::sleep(Duration::from_millis(100));
        let fault = process.next_line(soon()).unwrap_err().to_string();
        assert!(fault.contains("exit status: 7") && fault.contains("out of luck"), "{fault}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let launch = Launch { command: "/no/such/engine".into(), arguments: Vec::new(), directory: None };
        let fault = EngineProcess::start(&launch, StopFlag::default()).unwrap_err().to_string();
        assert!(fault.contains("/no/such/engine"), "{fault}");
    }

    #[test]
    fn killing_takes_the_grandchildren_along() {
        let mut process = shell("sleep 300 & echo $!; wait");
        let grandchild = process.next_line(soon()).unwrap().unwrap().text;
        process.kill();
        let state = || std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
        let is_gone = |state: &str| state.is_empty() || state.contains(") Z ");
        // On a busy machine a process that was killed lives on until it has the processor again.
        let end = soon();
        while !is_gone(&state()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(is_gone(&state()), "still running: {}", state());
    }

    #[test]
    fn a_raised_flag_interrupts_a_wait() {
        let stop = StopFlag::default();
        let launch = Launch {
            command: "/bin/sh".into(),
            arguments: vec!["-c".into(), "sleep 30".into()],
            directory: None,
        };
        let mut process = EngineProcess::start(&launch, stop.clone()).unwrap();
        stop.raise();
        assert_eq!(process.next_line(soon()).unwrap_err(), Fault::Interrupted);
    }

    #[test]
    fn endless_lines_and_bytes_that_are_no_text_do_no_harm() {
        let mut process = shell("head -c 300000 /dev/zero | tr '\\0' 'x'; printf '\\n\\377\\376ok\\n'");
        assert_eq!(process.next_line(soon()).unwrap().unwrap().text.len(), LINE_LIMIT);
        assert!(process.next_line(soon()).unwrap().unwrap().text.ends_with("ok"));
    }
}
