//! What OpenBench hands out: archives of games (`/api/pgns/ID/`, a tar of `.pgn.bz2`), and a test's description with its
//! result (`/api/workload/ID/info/`, JSON).

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::config::Kind;
use super::import::{Collector, Import};
use experiment::spec::{Node, Spec};

/// The size of a tar's blocks.
const BLOCK: usize = 512;
/// Bytes of an archive or a result.
const LARGEST: u64 = 1 << 30;
/// The signature of bzip2.
const BZIP2: &[u8] = b"BZh";

/// Reads archives, packed or plain PGN files and results, in any order. Returns the games and what OpenBench itself says of them.
pub fn read(
    files: &[PathBuf],
    mut each: Spec,
    ratings: &BTreeMap<String, String>,
) -> Result<(Import, Option<String>), String> {
    let mut collector = Collector::default();
    let mut test = None;
    for path in files {
        let told = |reason: String| format!("{}: {reason}", path.display());
        let bytes = common::read_bounded(path, LARGEST).map_err(|error| told(error.to_string()))?;
        if bytes.trim_ascii_start().starts_with(b"{") {
            let found = Test::read(&bytes).map_err(told)?;
            if test.replace(found).is_some() {
                return Err("two results were given, expected one test at a time".to_owned());
            }
        } else {
            read_games(&mut collector, path, bytes).map_err(told)?;
        }
    }
    if let Some(test) = &test {
        for (name, value) in test.limits() {
            if each.text(&name).is_none() {
                each.set(&name, Node::Text(value));
            }
        }
    }
    let mut import = collector.finish(each, ratings)?;
    dev_first(&mut import);
    let told = test.as_ref().map(Test::sentence);
    if let Some(test) = test {
        test.describe(&mut import)?;
    }
    Ok((import, told))
}

fn read_games(collector: &mut Collector, path: &Path, bytes: Vec<u8>) -> Result<(), String> {
    if bytes.starts_with(BZIP2) || !is_tar(&bytes) {
        let name = path.display().to_string();
        collector.read_games(&name, Cursor::new(unpacked(bytes)?));
        return Ok(());
    }
    for (name, content) in members(&bytes)? {
        let content = unpacked(content.to_vec()).map_err(|reason| format!("{name}: {reason}"))?;
        collector.read_games(&format!("{}: {name}", path.display()), Cursor::new(content));
    }
    Ok(())
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// The plain files of a tar.
fn members(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, String> {
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(header) = bytes.get(place..place + BLOCK) {
        if header.iter().all(|byte| *byte == 0) {
            break;
        }
        let field = |range: std::ops::Range<usize>| {
            let text = String::from_utf8_lossy(&header[range]).into_owned();
            text.split('\0').next().unwrap_or("").trim().to_owned()
        };
        let (name, size) = (field(0..100), field(124..136));
        let size = usize::from_str_radix(&size, 8)
            .map_err(|_| format!("not a tar at byte {place}: a file of size '{size}'"))?;
        let start = place + BLOCK;
        let content =
            bytes.get(start..start + size).ok_or_else(|| format!("the archive is cut off within {name}"))?;
        // '0' is a file; folders, links and extended headers say nothing about games.
        if matches!(header[156], b'0' | 0) {
            found.push((name, content));
        }
        place = start + size.div_ceil(BLOCK) * BLOCK;
    }
    if found.is_empty() { Err("the archive holds no files".to_owned()) } else { Ok(found) }
}

/// Plain bytes of what may be packed by bzip2. The system's program does it: it is everywhere OpenBench is.
fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(BZIP2) {
        return Ok(bytes);
    }
    let mut command = Command::new("bzip2");
    command.arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        format!("it is packed by bzip2, which cannot be started here ({error}); install bzip2")
    })?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let mut plain = Vec::new();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // What it thinks of its input is in its exit code.
                let _ = stdin.write_all(&bytes);
            }
        });
        if let Some(stdout) = stdout {
            stdout.take(LARGEST + 1).read_to_end(&mut plain)?;
        }
        if plain.len() as u64 > LARGEST {
            child.kill()?;
        }
        child.wait_with_output()
    });
    let output = output.map_err(|error| format!("bzip2: {error}"))?;
    if plain.len() as u64 > LARGEST {
        return Err(format!("it unpacks to more than {LARGEST} bytes"));
    }
    if !output.status.success() {
        return Err(format!("bzip2 cannot unpack it: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(plain)
}

/// Workers call the players ENGINE-dev and ENGINE-base; the first of a match is the one that is tested.
fn dev_first(import: &mut Import) {
    let names: Vec<String> = import.players().map(str::to_owned).collect();
    let [first, second] = names.as_slice() else { return };
    if first.ends_with("-base") && second.ends_with("-dev") {
        import.swap_players();
    }
}

/// A test as its server describes it.
struct Test {
    bounds: Option<[f64; 4]>,
    time_control: String,
    names: [String; 2],
    games: u64,
    pairs: Vec<u64>,
    likelihood: f64,
    decision: &'static str,
}

impl Test {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let whole: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let test = whole
            .get("info")
            .ok_or("no result of OpenBench: expected what /api/workload/ID/info/ answers")?;
        let number =
            |name: &str| test.get(name).and_then(Value::as_f64).ok_or(format!("no number '{name}' in it"));
        let is = |name: &str| test.get(name).and_then(Value::as_bool).unwrap_or(false);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("?").to_owned();
        let is_sprt = test.get("test_mode").and_then(Value::as_str) == Some("SPRT");
        let bounds = if is_sprt {
            Some([number("elolower")?, number("eloupper")?, number("alpha")?, number("beta")?])
        } else {
            None
        };
        let pairs = test.get("penta").and_then(Value::as_array).ok_or("no list 'penta' in it")?;
        let branch = |side: &str| text(test.get(side).and_then(|side| side.get("name")));
        Ok(Self {
            bounds,
            time_control: text(test.get("dev_time_control")),
            names: [branch("dev"), branch("base")],
            games: number("games")? as u64,
            pairs: pairs.iter().filter_map(Value::as_u64).collect(),
            likelihood: number("currentllr")?,
            decision: match (is("finished"), is("passed"), is("failed")) {
                (_, true, _) => "passed",
                (_, _, true) => "failed",
                (true, ..) => "finished",
                _ => "still running",
            },
        })
    }

    /// The limits of the games in the lab's words; a time control is its own.
    fn limits(&self) -> Vec<(String, String)> {
        let (kind, value) = self.time_control.split_once('=').unwrap_or(("tc", &self.time_control));
        let named = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        match kind {
            "N" => named("nodes", value),
            "D" => named("depth", value),
            "MT" => value.parse::<f64>().map_or_else(
                |_| Vec::new(),
                |milliseconds| named("st", &(milliseconds / 1000.0).to_string()),
            ),
            "tc" => named("tc", value),
            _ => Vec::new(),
        }
    }

    fn sentence(&self) -> String {
        let pairs: Vec<String> = self.pairs.iter().map(u64::to_string).collect();
        let test = self.bounds.map_or_else(String::new, |[lower, upper, ..]| {
            format!(", LLR {:.2} for [{lower}, {upper}]", self.likelihood)
        });
        format!(
            "OpenBench: {} against {}, {} games, pairs {}{test}, {}",
            self.names[0],
            self.names[1],
            self.games,
            pairs.join(" "),
            self.decision
        )
    }

    /// Makes a sequential test of the import, with OpenBench's hypotheses.
    fn describe(&self, import: &mut Import) -> Result<(), String> {
        let Some([lower, upper, alpha, beta]) = self.bounds else { return Ok(()) };
        if import.kind != Kind::Match {
            return Err("a test has two players, the games have more".to_owned());
        }
        import.kind = Kind::Sprt;
        import.spec.set("experiment", Node::Text(Kind::Sprt.as_str().to_owned()));
        for (name, value) in [("elo0", lower), ("elo1", upper), ("alpha", alpha), ("beta", beta)] {
            import.spec.set_in("sprt", name, Node::Text(value.to_string()));
        }
        import.spec.set_in("sprt", "model", Node::Text("normalised".to_owned()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tar with one file, as Python's tarfile writes it.
    fn tar(name: &str, content: &[u8]) -> Vec<u8> {
        let mut header = [0_u8; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        let mut archive = header.to_vec();
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(BLOCK) + 2 * BLOCK, 0);
        archive
    }

    fn game(white: &str, black: &str, result: &str) -> String {
        format!(
            "[Event \"?\"]\n[Round \"1\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[ScaleFactor \"1.0\"]\n\n\
             e4 {{book}} e5 {{+0.31/12 0.250s, n=1000, sd=14}} {result}\n\n"
        )
    }

    fn write(name: &str, content: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tabiya-openbench-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        path
    }

    const RESULT: &str = r#"{ "info": { "test_mode": "SPRT", "elolower": 0.0, "eloupper": 20.0, "alpha": 0.05, "beta": 0.05,
        "dev_time_control": "N=1000", "games": 2, "penta": [0, 0, 1, 0, 0], "currentllr": -0.1, "finished": false,
        "dev": { "name": "whole" }, "base": { "name": "less" } }, "results": [] }"#;

    #[test]
    fn an_archive_and_its_result_make_a_sequential_test() {
        let games = [game("x-base", "x-dev", "1-0"), game("x-dev", "x-base", "1-0")].concat();
        let archive = write("a.pgn.tar", &tar("PGNs/1.1.1.pgn.bz2", games.as_bytes()));
        let result = write("a.json", RESULT.as_bytes());
        let (import, told) =
            read(&[archive.clone(), result.clone()], Spec::default(), &BTreeMap::new()).unwrap();
        assert_eq!((import.kind, import.games.len(), import.left_out.len()), (Kind::Sprt, 2, 0));
        let tournament = super::super::config::Tournament::recall(import.kind, &import.spec).unwrap();
        assert_eq!(tournament.engines[0].name, "x-dev");
        assert_eq!(tournament.engines[0].limits.nodes, Some(1000));
        assert_eq!(import.games[0].task.white, 1, "the base had White first");
        assert!(told.unwrap().contains("2 games, pairs 0 0 1 0 0, LLR -0.10 for [0, 20], still running"));
        for path in [archive, result] {
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn damage_is_told() {
        let whole = tar("PGNs/1.pgn.bz2", game("a", "b", "1-0").as_bytes());
        for (name, content, reason) in [
            ("cut.tar", &whole[..600], "cut off within PGNs/1.pgn.bz2"),
            ("bad.bz2", &b"BZh9garbage"[..], "bzip2"),
            ("other.json", &b"{ \"results\": [] }"[..], "expected what /api/workload/ID/info/ answers"),
        ] {
            let path = write(name, content);
            let error = read(std::slice::from_ref(&path), Spec::default(), &BTreeMap::new()).unwrap_err();
            std::fs::remove_file(&path).unwrap();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }
}
