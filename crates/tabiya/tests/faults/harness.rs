//! Starts the program under limits and waits for what it says, never for ever.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Far above what a loaded machine needs; a program that takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// The exit code of a Rust program that panicked in its main thread.
const PANIC: i32 = 101;

/// Numbers the users that programs with a limit of processes run as.
static NEXT_USER: AtomicU32 = AtomicU32::new(0);

/// What the program may use.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Address space in MiB.
    pub memory: Option<u32>,
    /// Open files.
    pub files: Option<u32>,
    /// Size of a written file in blocks of 512 bytes.
    pub file_size: Option<u32>,
    /// Processes and threads of the user. Root is exempt from this limit, so root runs the program as a user of its own;
    /// for others the limit would count everything they run, so that [`Limits::processes_can_be_limited`] says no.
    pub processes: Option<u32>,
}

impl Limits {
    /// Whether a limit on processes holds for the program alone. When not, the reason is printed.
    pub fn processes_can_be_limited() -> bool {
        let found = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
        let can = is_root() && found("prlimit") && found("setpriv");
        if !can {
            println!("skipped: a limit on processes needs root, prlimit and setpriv");
        }
        can
    }
}

/// Where the program's standard output goes.
#[derive(Clone, Copy)]
pub enum Output {
    /// Read by the test.
    Read,
    /// A pipe whose other end is closed before the program writes.
    Closed,
    /// A device without space.
    Full,
    /// Read by the test, while standard error is a device without space.
    FullErrors,
}

pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    seen: Vec<String>,
    output_closed: Arc<AtomicBool>,
}

impl Program {
    pub fn start(arguments: &[&str]) -> Program {
        Program::start_with(arguments, Limits::default(), Output::Read)
    }

    pub fn start_limited(arguments: &[&str], limits: Limits) -> Program {
        Program::start_with(arguments, limits, Output::Read)
    }

    pub fn start_with(arguments: &[&str], limits: Limits, output: Output) -> Program {
        let mut script = String::new();
        for (flag, value) in [
            ('v', limits.memory.map(|mebibytes| mebibytes * 1024)),
            ('n', limits.files),
            ('f', limits.file_size),
        ] {
            if let Some(value) = value {
                let _ = write!(script, "ulimit -{flag} {value} && ");
            }
        }
        // A test that runs below `nohup` inherits signals that are ignored, and a shell cannot undo that; GNU's env can.
        script += "env --default-signal true 2>/dev/null && exec env --default-signal \"$@\"; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]);
        if let Some(processes) = limits.processes {
            command.args(["prlimit", &format!("--nproc={processes}:{processes}")]);
            // The limit counts all processes of a user, so each program gets a user that runs nothing else.
            let user =
                100_000 + std::process::id() % 100_000 * 10 + NEXT_USER.fetch_add(1, Ordering::Relaxed);
            command.args([
                "setpriv",
                &format!("--reuid={user}"),
                &format!("--regid={user}"),
                "--clear-groups",
            ]);
        }
        command.arg(executable()).args(arguments);
        // Nothing of the user's own is read or written.
        command.env("HOME", std::env::temp_dir()).env_remove("XDG_DATA_HOME").env_remove("RUST_BACKTRACE");
        let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        match output {
            Output::Read | Output::Closed => {}
            Output::Full => drop(command.stdout(full())),
            Output::FullErrors => drop(command.stderr(full())),
        }
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output_closed = Arc::new(AtomicBool::new(false));
        if let Some(stdout) = child.stdout.take()
            && !matches!(output, Output::Closed)
        {
            pass_on(stdout, sender.clone(), Arc::clone(&output_closed));
        }
        if let Some(stderr) = child.stderr.take() {
            pass_on(stderr, sender, Arc::default());
        }
        let input = child.stdin.take();
        Program { child, input, lines, seen: Vec::new(), output_closed }
    }

    pub fn send(&mut self, text: &str) {
        if let Some(input) = &mut self.input {
            // The program may have ended; then the next wait says so.
            let _ = writeln!(input, "{text}");
            let _ = input.flush();
        }
    }

    /// The first line that contains `part`.
    pub fn expect(&mut self, part: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(part) {
                        return line;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no '{part}' in time; so far:\n{}", self.seen.join("\n"))
                }
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program ended without '{part}'; it said:\n{}", self.seen.join("\n"))
                }
            }
        }
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the reading end of the program's output at its next line.
    pub fn close_output(&self) {
        self.output_closed.store(true, Ordering::Relaxed);
    }

    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// The same where the program may have ended by itself.
    pub fn signal_if_alive(&self, name: &str) {
        let _ = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).output();
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for the end; a program that hangs, panics or aborts fails the test.
    pub fn end(mut self) -> Ended {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                let _ = self.child.kill();
                panic!("the program did not end; it said:\n{}", self.seen.join("\n"));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(5)) {
            self.seen.push(line);
        }
        let text = std::mem::take(&mut self.seen).join("\n");
        assert_ne!(status.code(), Some(PANIC), "the program panicked:\n{text}");
        assert_ne!(status.signal(), Some(6), "the program aborted:\n{text}");
        assert!(!text.contains("panicked at"), "a thread panicked:\n{text}");
        Ended { status, text }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Ended {
    pub status: ExitStatus,
    /// Standard output and standard error, line by line as they came.
    pub text: String,
}

fn pass_on(stream: impl Read + Send + 'static, lines: Sender<String>, closed: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if lines.send(line).is_err() || closed.load(Ordering::Relaxed) {
                break;
            }
        }
    });
}

fn is_root() -> bool {
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        let output = Command::new("id").arg("-u").output().unwrap();
        output.stdout.trim_ascii() == b"0"
    })
}

/// The program, where every user can start it: the checkout may be in a folder that is closed to others.
/// `TABIYA_BINARY` names another build to test.
pub fn executable() -> &'static PathBuf {
    static COPY: OnceLock<PathBuf> = OnceLock::new();
    COPY.get_or_init(|| {
        let binary = std::env::var("TABIYA_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_tabiya").into());
        remove_old_folders();
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let copy = folder.join("tabiya");
        std::fs::copy(binary, &copy).unwrap();
        std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).unwrap();
        copy
    })
}

const PREFIX: &str = "tabiya-faults-";

/// Removes what runs that have ended left behind: the copy of the program is large.
fn remove_old_folders() {
    for entry in std::fs::read_dir(std::env::temp_dir()).unwrap().map_while(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        let has_ended = |process: u32| {
            let alive = Command::new("kill").args(["-0", &process.to_string()]).output();
            alive.is_ok_and(|output| !output.status.success())
        };
        if process.is_some_and(has_ended) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// An empty folder for one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("{PREFIX}{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
