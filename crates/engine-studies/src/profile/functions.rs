//! Functions, by perf: our own engine as a process of its own, searched through UCI while perf looks at it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::config::{KIND, Profile};
use super::fold;
use experiment::session::Session;
use experiment::store::Row;
use match_runner::fault::Fault;
use match_runner::process::{EngineProcess, Launch};
use protocol::client::uci::{self, Go, Reply};

/// Bytes of stack perf copies with every sample: enough for the innermost frames, which are those that matter.
const STACK: u32 = 16 * 1024;
/// How long an engine may take to answer anything but a search.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a search of one position may take.
const SEARCH: Duration = Duration::from_secs(3600);

/// Why there are no functions.
pub enum Missing {
    /// The user wanted out.
    Interrupted,
    /// What stands in the way, and what to do about it.
    Because(String),
}

impl From<String> for Missing {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

/// Records every position and answers one row.
pub fn record(
    profile: &Profile,
    evaluation: &str,
    task: String,
    folder: &Path,
    session: &mut Session<'_>,
) -> Result<Row, Missing> {
    check_perf()?;
    let data = folder.join("perf.data");
    let seconds = run_under_perf(profile, evaluation, &data, session);
    let script = seconds.and_then(|seconds| Ok((seconds, read_samples(&data)?)));
    // The samples are in the row from here on; the file is a hundred times as large.
    let _ = std::fs::remove_file(&data);
    let (seconds, script) = script?;
    let stacks = fold::stacks(&script);
    if stacks.is_empty() {
        return Err(Missing::Because("perf saw nothing; search longer with --depth".to_owned()));
    }
    let paths: Map<String, Value> =
        fold::fold(&stacks).into_iter().map(|(path, count)| (path, json!(count))).collect();
    let data = Map::from_iter([
        ("series".to_owned(), json!(evaluation)),
        ("seconds".to_owned(), json!(seconds)),
        ("samples_taken".to_owned(), json!(stacks.len())),
        ("paths".to_owned(), Value::Object(paths)),
    ]);
    Ok(Row { task, data })
}

fn check_perf() -> Result<(), Missing> {
    let version = Command::new("perf")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match version {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Missing::Because(format!("'perf --version' ended with {status}"))),
        Err(error) => {
            Err(Missing::Because(format!("perf cannot be started ({error}); Debian has it as linux-perf")))
        }
    }
}

fn binary(profile: &Profile) -> Result<PathBuf, String> {
    match &profile.engine {
        Some(path) => Ok(path.clone()),
        None => std::env::current_exe().map_err(|error| format!("where this program lies: {error}")),
    }
}

/// Searches all positions while perf writes its samples; answers the seconds.
fn run_under_perf(
    profile: &Profile,
    evaluation: &str,
    data: &Path,
    session: &mut Session<'_>,
) -> Result<f64, Missing> {
    let engine = binary(profile)?;
    let (output, rate) = (data.to_string_lossy(), profile.rate.to_string());
    let (stack, program) = (format!("dwarf,{STACK}"), engine.to_string_lossy());
    let words: [&str; 12] = [
        "record",
        "--quiet",
        "--output",
        &output,
        "--freq",
        &rate,
        // A timer of the system, not of the processor: virtual machines have no other.
        "--event",
        "cpu-clock:u",
        "--call-graph",
        &stack,
        "--",
        &program,
    ];
    let arguments = words.map(str::to_owned).to_vec();
    let launch = Launch { command: PathBuf::from("perf"), arguments, directory: None };
    let began = Instant::now();
    let mut process = EngineProcess::start(&launch, session.stop.clone()).map_err(|fault| told(&fault))?;
    let mut talk = || -> Result<(), Fault> {
        ask(&mut process, uci::INTRODUCE, |reply| *reply == Reply::Introduced, PATIENCE)?;
        process.send(&uci::set_option("Hash", &profile.hash.to_string()))?;
        // An engine of another kind does not know the option and passes over it.
        process.send(&uci::set_option("Evaluation", evaluation))?;
        for (number, place) in profile.places.iter().enumerate() {
            process.send(uci::NEW_GAME)?;
            ask(&mut process, uci::IS_READY, |reply| *reply == Reply::Ready, PATIENCE)?;
            process.send(&format!("position fen {}", place.fen))?;
            let go = Go { depth: Some(profile.depth), ..Go::default() };
            ask(&mut process, &go.command(), |reply| matches!(reply, Reply::BestMove { .. }), SEARCH)?;
            if session.verbose {
                session.say(&format!("perf, {evaluation}: {} of {}", number + 1, profile.places.len()));
            }
        }
        process.send(uci::QUIT)
    };
    talk().map_err(|fault| told(&fault))?;
    let deadline = Instant::now() + PATIENCE;
    while process.is_running() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(began.elapsed().as_secs_f64())
}

/// Sends a line and waits for the reply that answers it.
fn ask(
    process: &mut EngineProcess,
    line: &str,
    answers: impl Fn(&Reply) -> bool,
    patience: Duration,
) -> Result<(), Fault> {
    process.send(line)?;
    let asked = Instant::now();
    loop {
        match process.next_line(asked + patience)? {
            Some(line) if answers(&uci::reply(&line.text)) => return Ok(()),
            Some(_) => {}
            None => return Err(Fault::Stalled { after: asked.elapsed() }),
        }
    }
}

fn told(fault: &Fault) -> Missing {
    if *fault == Fault::Interrupted {
        return Missing::Interrupted;
    }
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let level = level.trim();
    // Above 2 only root may look, also at its own programs.
    let advice = if level.parse::<i32>().is_ok_and(|level| level > 2) {
        format!("; the system forbids it (kernel.perf_event_paranoid is {level}, 2 would do)")
    } else {
        String::new()
    };
    Missing::Because(format!("{KIND}: the engine under perf {fault}{advice}"))
}

fn read_samples(data: &Path) -> Result<String, Missing> {
    let path = data.to_string_lossy();
    // Inlined functions would each cost a look into the debug information: minutes for thousands of samples.
    let words = ["script", "--input", &path, "--no-inline", "-F", "ip,sym"];
    let output = Command::new("perf").args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Missing::Because(format!("'perf script': {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Missing::Because(format!(
            "'perf script' ended with {}: {}",
            output.status,
            words.trim()
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
