//! The ready-made studies (`experiments/*.toml`) and the small data they need, inside the program, so that a study runs in
//! any folder. A path that begins with `data:` names one of these files.

pub mod checksums;
pub mod sha256;

/// What marks the name of a file inside the program.
pub const PREFIX: &str = "data:";

macro_rules! embedded {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../", $folder, "/", $name)).as_slice())),+]
    };
}

/// Names under `data/` and contents.
const FILES: &[(&str, &[u8])] = embedded!(
    "data":
    "mates/mates2000.epd",
    "openings/balanced.epd",
    "openings/human.epd",
    "openings/unbalanced.epd",
    "positions/ablation600.epd",
    "positions/crafty30.epd",
    "suites/wac300.epd",
);

/// The network of the simulated humans: trained on other players than the one that plays.
const HELD_OUT: &[u8] = include_bytes!("../../human-model/weights/held-out.bin");

/// Names under `experiments/` and contents.
const STUDIES: &[(&str, &[u8])] = embedded!(
    "experiments":
    "ablation-klas.toml",
    "human-like-levels.toml",
    "ladder-alphadeepchess-evaluation.toml",
    "ladder-alphadeepchess.toml",
    "leiserchess-versions.toml",
    "match-table.toml",
    "parallel-crafty-elo.toml",
    "parallel-crafty-ttd.toml",
    "parallel-duel.toml",
    "parallel-elo.toml",
    "parallel-virtual-time.toml",
    "profile.toml",
    "speculation-gambit.toml",
    "sprt-network.toml",
    "sprt-null-move.toml",
    "spsa-search.toml",
    "suite-mates.toml",
    "suite-wac.toml",
    "technique-elo.toml",
    "virtual-cluster.toml",
);

/// A file inside the program by its name without [`PREFIX`].
pub fn file(name: &str) -> Result<&'static [u8], String> {
    if name == "human/held-out.bin" {
        return Ok(HELD_OUT);
    }
    let found = FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes);
    found.ok_or_else(|| {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        format!("no file '{name}' inside the program; there are: {}, human/held-out.bin", names.join(", "))
    })
}

/// A ready-made study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Study {
    /// Its name: that of its file without `.toml`.
    pub name: &'static str,
    /// The TOML text.
    pub text: &'static str,
}

/// The ready-made studies, by name.
pub fn studies() -> impl Iterator<Item = Study> {
    STUDIES.iter().map(|(name, bytes)| Study {
        name: name.strip_suffix(".toml").unwrap_or(name),
        text: std::str::from_utf8(bytes).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folder_of_studies_is_inside() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "toml"))
            .collect();
        names.sort();
        assert_eq!(names, STUDIES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(studies().all(|study| !study.text.is_empty()));
    }

    #[test]
    fn an_unknown_file_gets_the_list() {
        assert!(file("positions/crafty30.epd").is_ok_and(|bytes| !bytes.is_empty()));
        assert!(file("nothing.epd").is_err_and(|reason| reason.contains("suites/wac300.epd")));
    }
}
