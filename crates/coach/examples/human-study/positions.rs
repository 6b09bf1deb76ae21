//! Positions of rated games in which a player nobody trained on is to move.

use chess::{Game, Move};
use human_model::dataset::GameRecord;
use human_model::reply::{Scale, TimeControl};
use std::error::Error;
use std::io::BufRead;
use std::ops::ControlFlow;

/// A position, what was played there, and by somebody of which rating.
pub struct Faced<'a> {
    pub game: &'a Game,
    pub played: Move,
    pub rating: u16,
    pub opponent: u16,
    pub time_control: Option<TimeControl>,
}

impl Faced<'_> {
    /// Bands are 200 points wide and named by where they begin.
    pub fn band(&self) -> u16 {
        self.rating / 200 * 200
    }
}

/// Players in these buckets were kept from every training.
const HELD_OUT: u8 = 4;
/// Before this ply people play what they have read.
const FIRST_PLY: usize = 10;

/// Games of Lichess players from standard input, until `visit` has enough.
pub fn visit(
    mut visit: impl FnMut(&Faced<'_>) -> Result<ControlFlow<()>, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        if record.source.scale() != Scale::Lichess {
            continue;
        }
        let mut game = Game::default();
        for (ply, text) in record.moves.split_whitespace().enumerate() {
            let Ok(played) = game.position().parse_uci(text) else { break };
            let rating = record.ratings[ply % 2];
            let is_held_out = record.players[ply % 2].bucket() < HELD_OUT;
            if is_held_out
                && ply >= FIRST_PLY
                && (500..2900).contains(&rating)
                && game.position().legal_moves().len() > 1
                && visit(&Faced {
                    game: &game,
                    played,
                    rating,
                    opponent: record.ratings[1 - ply % 2],
                    time_control: record.time_control,
                })?
                .is_break()
            {
                return Ok(());
            }
            game.play(played)?;
        }
    }
    Ok(())
}

/// One number in so many, the same ones each time, without a pattern in them.
pub fn is_picked(number: u64, one_in: u64) -> bool {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 < (1 << 24) / one_in.max(1)
}
