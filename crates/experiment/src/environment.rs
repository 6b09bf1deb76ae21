//! Where an experiment runs: the facts a reader needs to judge its times.

use std::path::Path;

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
    add(
        "kernel",
        std::fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|text| text.trim().to_owned()),
    );
    facts
}

fn proc_field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// A fingerprint of a file's content (FNV-1a, 64 bits): enough to notice that a binary was rebuilt, not a proof against malice.
pub fn fingerprint(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
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
