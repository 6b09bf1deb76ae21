//! `mpirun -n N tabiya` is one engine, also when one of its processes is killed. Needs the feature `mpi` and Open MPI.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should stop

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Far above what a loaded machine needs; a program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(180);

struct Engine {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Says why not, where there is nothing to test.
fn can_run() -> bool {
    if !cfg!(feature = "mpi") {
        println!("skipped: built without the feature mpi");
    } else if Command::new("mpirun").arg("--version").output().is_err() {
        println!("skipped: no mpirun here (Debian: openmpi-bin)");
    } else {
        return true;
    }
    false
}

impl Engine {
    fn start(mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { process, input, lines }
    }

    fn alone() -> Self {
        Self::start(Command::new(env!("CARGO_BIN_EXE_tabiya")))
    }

    fn cluster(ranks: usize) -> Self {
        let mut command = Command::new("mpirun");
        command.args(["--oversubscribe", "--enable-recovery", "--mca", "btl", "self,tcp", "-n"]);
        command.arg(ranks.to_string()).arg(env!("CARGO_BIN_EXE_tabiya"));
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        Self::start(command)
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next line that holds this text.
    fn expect(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("no {text}: {error}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    fn search(&mut self, order: &str) -> String {
        self.send(order);
        self.expect("bestmove")
    }

    fn bench(&mut self) -> String {
        self.send("bench 4");
        let line = self.expect("nodes");
        line.split_whitespace().find(|word| word.parse::<u64>().is_ok()).unwrap().to_owned()
    }

    fn quit(mut self) -> bool {
        self.send("quit");
        self.process.wait().unwrap().success()
    }
}

/// The process that is this rank of the job that `engine` started.
#[cfg(target_os = "linux")]
fn process_of(rank: usize, engine: &Engine) -> String {
    let parent = format!("PPid:\t{}", engine.process.id());
    let wanted = format!("OMPI_COMM_WORLD_RANK={rank}");
    let is_it = |path: &std::path::Path| {
        let read = |name: &str| std::fs::read(path.join(name)).unwrap_or_default();
        let (status, variables) = (read("status"), read("environ"));
        String::from_utf8_lossy(&status).lines().any(|line| line == parent)
            && variables.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
    };
    let found = std::fs::read_dir("/proc").unwrap().flatten().find(|entry| is_it(&entry.path())).unwrap();
    found.file_name().into_string().unwrap()
}

#[test]
fn several_processes_are_one_engine() {
    if !can_run() {
        return;
    }
    let mut alone = Engine::alone();
    let serial = alone.bench();
    assert!(alone.quit());
    for ranks in [2, 4] {
        let mut engine = Engine::cluster(ranks);
        engine.send("uci");
        engine.expect("uciok");
        engine.send("setoption name Threads value 2");
        engine.send("setoption name Parallel value ybwc");
        engine.send("position startpos moves e2e4 e7e5");
        engine.search("go depth 9");
        engine.send("go infinite");
        engine.expect("info depth");
        engine.search("stop");
        engine.send("ucinewgame");
        engine.search("go movetime 200");
        assert_eq!(engine.bench(), serial);
        assert!(engine.quit());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_process_costs_its_own_work_only() {
    if !can_run() {
        return;
    }
    let mut engine = Engine::cluster(3);
    engine.search("go depth 8");
    engine.send("go infinite");
    engine.expect("info depth");
    let victim = process_of(2, &engine);
    assert!(Command::new("kill").args(["-9", &victim]).status().unwrap().success());
    engine.search("stop");
    for ply in 0..6 {
        engine.send(if ply % 2 == 0 { "position startpos" } else { "position startpos moves d2d4" });
        engine.search("go movetime 100");
    }
    engine.search("go depth 9");
    engine.quit();
}
