//! Input files: on the disk, or inside the program under `data:`; plain or zstd. A damaged file of a
//! folder with checksums is refused.

use std::io::Read;
use std::path::Path;

use chess::compressed::Decompressed;

/// Opens a file. `data:NAME` is a file inside the program.
pub fn open(path: &Path) -> Result<Decompressed<Box<dyn Read>>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let input: Box<dyn Read> = match path.to_str().and_then(|name| name.strip_prefix(study_data::PREFIX)) {
        Some(name) => Box::new(study_data::file(name).map_err(|error| told(&error))?),
        // Asked before it is opened: a device may never end, and opening a pipe without a writer waits for ever.
        None if !std::fs::metadata(path).map_err(|error| told(&error))?.is_file() => {
            return Err(told(&"not a regular file"));
        }
        None => {
            let file = std::fs::File::open(path).map_err(|error| told(&error))?;
            study_data::checksums::check(path).map_err(|error| told(&error))?;
            Box::new(file)
        }
    };
    chess::compressed::reader(input).map_err(|error| told(&error))
}

/// Bytes of a file that are read at most. A few kilobytes of zstd may unpack to any number.
const LARGEST: u64 = 1 << 30;

/// All bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    read_to(path, LARGEST)
}

/// A text file.
pub fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?)
        .map_err(|error| format!("{}: {}", path.display(), error.utf8_error()))
}

fn read_to(path: &Path, bound: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let told = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
    open(path)?.take(bound + 1).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if bytes.len() as u64 > bound {
        return Err(told(&format!("more than {bound} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_to_its_bound() {
        let path = Path::new("data:positions/crafty30.epd");
        let length = read_bytes(path).unwrap().len() as u64;
        assert_eq!(read_to(path, length).unwrap().len() as u64, length);
        let reason = read_to(path, length - 1).unwrap_err();
        assert!(reason.ends_with(&format!("more than {} bytes", length - 1)), "{reason}");
    }

    #[test]
    fn files_inside_the_program_and_on_the_disk() {
        assert!(
            read_text(Path::new("data:positions/crafty30.epd")).is_ok_and(|text| text.lines().count() == 30)
        );
        assert!(
            read_text(Path::new("data:no.epd")).is_err_and(|reason| reason.contains("inside the program"))
        );
        #[cfg(unix)]
        assert!(
            read_bytes(Path::new("/dev/zero")).is_err_and(|reason| reason.contains("not a regular file"))
        );
        assert!(read_bytes(Path::new("/no/such/file")).is_err_and(|reason| reason.contains("/no/such/file")));
    }
}
