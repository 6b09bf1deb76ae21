//! Folders and games for tests.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(dead_code, reason = "each test program uses its part")]

use common::Random;
use data::game::GameRecord;
use data::play::{Play, Player};
use kernel::Clock;
use kernel::clock::ManualClock;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A folder of this test alone, gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tabiya-data-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Games of a moment.
pub const QUICK: Play = Play {
    soft_nodes: 20,
    hard_nodes: 100,
    random_plies: 8,
    max_opening_score: 1000,
    rules: data::play::Rules {
        win_score: 800,
        win_plies: 2,
        draw_score: 8,
        draw_plies: 6,
        draw_from: 20,
        longest: 60,
    },
};

pub fn clock() -> Arc<dyn Clock> {
    Arc::new(ManualClock::new())
}

/// Some short games, always the same.
pub fn games(count: u64) -> Vec<GameRecord> {
    let mut player = Player::new(QUICK, 1, clock()).unwrap();
    (0..count).map(|number| player.game(&mut Random::of_game(9, 0, number))).collect()
}
