//! Any bytes are a file of games and errors; a game is written and read back the same. The first byte chooses whether
//! the limits are tight.

use chess::pgn::{Limits, PgnReader};

const TIGHT: Limits = Limits { game_bytes: 64, moves: 5, depth: 2, tags: 3, tag_bytes: 16 };

pub fn run(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let limits = if first % 4 == 0 { TIGHT } else { Limits::default() };
    for game in PgnReader::with_limits(text, limits) {
        match game {
            Ok(game) => {
                let written = game.to_string();
                let mut again = PgnReader::new(written.as_bytes());
                assert_eq!(again.next().unwrap().unwrap(), game, "{written}");
                assert!(again.next().is_none(), "{written}");
                assert!(game.to_game().moves().iter().copied().eq(game.moves()));
            }
            Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.to_string().is_empty()),
        }
    }
}
