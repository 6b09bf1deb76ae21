//! What the fuzz targets do with their bytes, one module for each. A test does it with the committed corpus.
//!
//! `tools/fuzz.py` builds and runs the targets; `cargo test` in this folder needs neither a fuzzer nor a nightly toolchain.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a finding is a panic")]

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*

        /// Every target by its name.
        pub const TARGETS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), $name::run)),*];
    };
}

mod positions;

targets! {
    chess_epd,
    chess_fen,
    chess_pgn,
    chess_play,
    chess_san,
    chess_uci,
    experiment_files,
    game_lines,
    games,
    human_weights,
    laser_commands,
    laser_fen,
    laser_files,
    laser_moves,
    laser_protocol,
    lichess_events,
    network,
    uci_commands,
    web_messages,
    xboard_commands,
}
