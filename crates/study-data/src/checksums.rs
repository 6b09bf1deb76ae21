//! Whether a file is the one that the list of checksums beside it promises.

use crate::sha256;
use std::path::Path;

/// The list of checksums of a folder of data, as `sha256sum` writes it.
const LIST: &str = "SHA256SUMS";

/// Bytes of a list that are read at most.
const LARGEST_LIST: u64 = 1 << 20;

/// Compares a file with the list in its folder or in the one above. A file that no list names is not judged.
pub fn check(path: &Path) -> Result<(), String> {
    let Ok(path) = path.canonicalize() else { return Ok(()) };
    for folder in path.ancestors().skip(1).take(2) {
        let list = folder.join(LIST);
        if !std::fs::metadata(&list).is_ok_and(|about| about.is_file() && about.len() <= LARGEST_LIST) {
            continue;
        }
        let (Ok(text), Ok(name)) = (std::fs::read_to_string(&list), path.strip_prefix(folder)) else {
            continue;
        };
        let name = name.to_string_lossy().replace('\\', "/");
        let lines = text.lines().filter_map(|line| line.split_once("  "));
        let Some(listed) = lines.filter(|(_, listed)| *listed == name).map(|(sum, _)| sum).next() else {
            continue;
        };
        let found = sha256::hexadecimal(&std::fs::read(&path).map_err(|error| error.to_string())?);
        if found != listed {
            return Err(format!(
                "damaged or was changed: its SHA-256 is {found}, {} says {listed}; a changed copy belongs elsewhere",
                list.display()
            ));
        }
    }
    Ok(())
}
