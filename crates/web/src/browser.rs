//! Opening the page in a browser without showing the token to other users of the machine.
//!
//! The arguments of a program can be read by every user. So the browser is given the name of a file that only its owner
//! can read, and the file leads to the link.

use crate::private_file;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FILE_NAME: &str = "open-board.html";

/// Starts `opener` (`xdg-open`, `open`) on a file in `folder` that leads to `url`.
pub fn open(opener: &Path, folder: &Path, url: &str) -> io::Result<()> {
    let file = write_link(folder, url)?;
    Command::new(opener)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(|_| ())
}

fn write_link(folder: &Path, url: &str) -> io::Result<PathBuf> {
    private_file::create_folder(folder)?;
    let path = folder.join(FILE_NAME);
    // The link holds letters, digits and signs that HTML does not escape.
    write!(
        private_file::create(&path)?,
        "<!doctype html><meta charset=\"utf-8\"><title>Tabiya</title>\n\
         <meta http-equiv=\"refresh\" content=\"0;url={url}\"><a href=\"{url}\">Open the board</a>\n"
    )?;
    Ok(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_token_is_no_argument_and_its_file_is_private() {
        let folder = std::env::temp_dir().join(format!("tabiya-browser-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // Left by an earlier start, and readable by everybody.
        std::fs::write(folder.join(FILE_NAME), "old").unwrap();
        let opener = folder.join("opener");
        std::fs::write(&opener, "#!/bin/sh\necho \"$@\" > \"$0.part\" && mv \"$0.part\" \"$0.arguments\"\n")
            .unwrap();
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o700)).unwrap();

        open(&opener, &folder, "http://127.0.0.1:1/#token=secret").unwrap();

        let told = folder.join("opener.arguments");
        while !told.exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let arguments = std::fs::read_to_string(told).unwrap();
        assert!(!arguments.contains("secret"), "{arguments}");
        let link = PathBuf::from(arguments.trim());
        assert!(std::fs::read_to_string(&link).unwrap().contains("#token=secret"));
        assert_eq!(std::fs::metadata(&link).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
