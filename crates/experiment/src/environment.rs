//! Where an experiment runs: the facts a reader needs to judge its times.

use std::path::Path;
use std::sync::OnceLock;

use crate::engine::EngineSpec;

/// Facts about this machine and program.
pub fn facts() -> Vec<(String, String)> {
    let mut facts = vec![
        ("lab version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("system".to_owned(), format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)),
    ];
    let cores = std::thread::available_parallelism().map_or_else(|_| "unknown".to_owned(), |n| n.to_string());
    facts.push(("cores".to_owned(), cores));
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            facts.push((name.to_owned(), value));
        }
    };
    add("cpu", proc_field("/proc/cpuinfo", "model name"));
    add("memory", proc_field("/proc/meminfo", "MemTotal"));
    add("commit", commit());
    add("build profile", Some(profile()));
    add("network", Some(format!("{:08x}", match_runner::internal::network_checksum())));
    add("bench", bench());
    add(
        "kernel",
        std::fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|text| text.trim().to_owned()),
    );
    facts
}

/// What the build was told, or the commit of the checkout in which this program lies, with a word on changes since.
fn commit() -> Option<String> {
    if let Some(told) = option_env!("TABIYA_COMMIT").filter(|told| !told.is_empty()) {
        return Some(told.to_owned());
    }
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.to_owned();
    let git = |arguments: &[&str]| {
        let output =
            std::process::Command::new("git").arg("-C").arg(&folder).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // Only a program built here: one that was copied into some other checkout is not of its commit.
    let remote_is_ours = git(&["ls-files", "--full-name", ":/crates/experiment/src/environment.rs"])?;
    if remote_is_ours.is_empty() {
        return None;
    }
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|list| !list.is_empty());
    Some(format!("{commit} of the checkout{}", if changed { ", with changes since" } else { "" }))
}

/// The profile this was compiled with, as the build script saw it: the program may have been copied elsewhere since.
fn profile() -> String {
    let checks = if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };
    format!("{}, {checks}", env!("TABIYA_PROFILE"))
}

/// The node count that identifies the search; a build with debug assertions takes too long for it.
fn bench() -> Option<String> {
    static BENCH: OnceLock<Option<u64>> = OnceLock::new();
    if cfg!(debug_assertions) {
        return None;
    }
    BENCH.get_or_init(match_runner::internal::bench).map(|nodes| nodes.to_string())
}

/// What an engine is told: its options, or that it has none set.
pub fn options(engine: &EngineSpec) -> String {
    let set: Vec<String> = engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if set.is_empty() { "defaults".to_owned() } else { set.join(", ") }
}

/// Every option of an engine with its value, as it stands in "Where it ran"; `None` where the engine tells none.
pub fn all_options(options: &[(String, String)]) -> Option<String> {
    let all: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn proc_field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// Bytes of a program that are looked at.
const LARGEST_BINARY: u64 = 1 << 30;

/// A fingerprint of a file's content (FNV-1a, 64 bits): enough to notice that a binary was rebuilt, not a proof against malice.
pub fn fingerprint(path: &Path) -> Option<String> {
    let bytes = common::read_bounded(path, LARGEST_BINARY).ok()?;
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Some(format!("{hash:016x}, {} bytes", bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_cores_is_among_the_facts() {
        assert!(facts().iter().any(|(name, value)| name == "cores" && value.parse::<u32>().is_ok()));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_has_no_fingerprint() {
        assert_eq!(fingerprint(Path::new("/dev/zero")), None);
    }

    #[test]
    fn the_build_is_named() {
        let facts = facts();
        let fact =
            |name: &str| facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let network = fact("network").unwrap();
        assert!(network.len() == 8 && u32::from_str_radix(network, 16).is_ok(), "{network}");
        // The folder of the profile is above the one of the test.
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).and_then(Path::file_name).unwrap();
        let profile = fact("build profile").unwrap();
        assert!(
            profile.starts_with(folder.to_str().unwrap()) && profile.contains("debug assertions"),
            "{profile}"
        );
        // This test runs in a checkout, or from a package that has none.
        if let Some(commit) = fact("commit") {
            assert!(commit.len() >= 7, "{commit}");
        }
    }

    #[test]
    fn a_changed_file_has_another_fingerprint() {
        let path = std::env::temp_dir().join(format!("tabiya-lab-fingerprint-{}", std::process::id()));
        std::fs::write(&path, "a").unwrap();
        // The published FNV-1a value of "a".
        assert_eq!(fingerprint(&path).unwrap(), "af63dc4c8601ec8c, 1 bytes");
        std::fs::write(&path, "b").unwrap();
        assert_ne!(fingerprint(&path).unwrap(), "af63dc4c8601ec8c, 1 bytes");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(fingerprint(&path), None);
    }
}
