//! Files and folders that only their owner can read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder and those above it, where missing, for its owner alone. An existing folder keeps its mode.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// An empty file in place of whatever has this name. An old file may be readable by others, so it is not written to.
pub fn create(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    open_private(OpenOptions::new().write(true).create_new(true), path)
}

/// Makes an existing file private, or an empty one where there is none.
pub fn secure(path: &Path) -> io::Result<()> {
    let file = open_private(OpenOptions::new().append(true).create(true), path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    drop(file);
    Ok(())
}

fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn files_and_folders_are_their_owners_alone() {
        let folder = std::env::temp_dir().join(format!("tabiya-private-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        create_folder(&folder.join("inner")).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("inner"))), (0o700, 0o700));
        let file = folder.join("file");
        std::fs::write(&file, "old").unwrap();
        secure(&file).unwrap();
        assert_eq!((mode(&file), std::fs::read(&file).unwrap()), (0o600, b"old".to_vec()));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        drop(create(&file).unwrap());
        assert_eq!((mode(&file), std::fs::read(&file).unwrap().len()), (0o600, 0));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
