//! What every command shares: its words, and standard error.

use crate::harness::{Limits, Output, Program, executable, scratch};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

#[test]
fn words_that_are_not_utf8_are_refused_with_a_sentence() {
    let word = OsStr::from_bytes(b"a\xff\x1b[2J");
    for words in [&[word][..], &[OsStr::new("perft"), word], &[OsStr::new("lab"), OsStr::new("match"), word]]
    {
        let ended = Command::new(executable()).args(words).output().unwrap();
        let text = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{text}");
        assert!(text.contains("is not UTF-8") && !text.contains('\u{1b}'), "{text}");
    }
}

/// A warning that cannot be written is no reason to leave the work undone.
#[test]
fn warnings_that_cannot_be_written_end_no_command() {
    let folder = scratch("warnings");
    let file = folder.join("games.pgn");
    std::fs::write(&file, "[Event \"one\"]\n\n1. e4 e9 *\n\n[Event \"two\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n")
        .unwrap();
    let file = file.display().to_string();
    for (words, part) in [
        (&["human", "rate", &file][..], "game 2, White"),
        (&["coach", "--all", "--nodes", "500", &file], "1 game"),
        (&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"], "5"),
    ] {
        let ended = Program::start_with(words, Limits::default(), Output::FullErrors).end();
        assert!(ended.status.success() && ended.text.contains(part), "{words:?}: {}", ended.text);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A Zstandard frame of 4-byte blocks that unpacks to 3 GB of one letter.
fn bomb() -> Vec<u8> {
    const BLOCK: u32 = 128 << 10;
    // The magic number, a header without sizes, a window of one block.
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    for block in (0..24_000_u32).rev() {
        let (run_of_one_byte, is_last) = (1 << 1, u32::from(block == 0));
        bytes.extend_from_slice(&(BLOCK << 3 | run_of_one_byte | is_last).to_le_bytes()[..3]);
        bytes.push(b'x');
    }
    bytes
}

#[test]
fn files_without_end_fill_no_memory() {
    let folder = scratch("endless");
    let packed = folder.join("bomb.zst");
    std::fs::write(&packed, bomb()).unwrap();
    let (packed, out) = (packed.display().to_string(), folder.join("out").display().to_string());
    let limits = Limits { memory: Some(1000), ..Limits::default() };
    for file in [&packed, "/dev/zero"] {
        for words in [
            &["tune", file][..],
            &["data", "import", file, "--out", &out],
            &["human", "rate", file],
            &["lab", "import", "openbench", file, "--out", &out],
            &["lab", "figures", file],
        ] {
            let ended = Program::start_limited(words, limits).end();
            let code = ended.status.code();
            assert!(matches!(code, Some(1 | 2)), "{words:?}: {code:?} {}", ended.text);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
