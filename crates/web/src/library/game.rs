//! What the library keeps of a game besides its PGN, so that lists and searches need not read that.

use crate::openings::Openings;
use chess::Game;
use chess::pgn::PgnGame;

/// Seconds up to which a game counts as bullet, blitz or rapid: base and 40 increments, as Lichess counts.
const SPEEDS: [(u32, &str); 3] = [(179, "bullet"), (479, "blitz"), (1499, "rapid")];

pub struct Facts {
    pub white: String,
    pub black: String,
    pub white_elo: Option<u32>,
    pub black_elo: Option<u32>,
    pub event: String,
    /// `2026.11.18`, as in the PGN.
    pub date: String,
    pub result: String,
    pub opening: Option<String>,
    pub speed: &'static str,
    pub plies: u32,
    /// Keys of all positions, to search for one.
    pub keys: Vec<u8>,
    /// Tells the same game from another, whatever its comments are.
    pub fingerprint: i64,
}

impl Facts {
    pub fn of(pgn: &PgnGame, game: &Game, openings: &Openings) -> Facts {
        let tag = |name: &str| pgn.tags.get(name).unwrap_or("?").to_string();
        let elo =
            |name: &str| pgn.tags.number(name).and_then(|elo| u32::try_from(elo).ok()).filter(|elo| *elo > 0);
        let date = pgn.tags.get("UTCDate").or(pgn.tags.get("Date")).unwrap_or("????.??.??").to_string();
        let moves: Vec<String> = game.moves().iter().map(|mv| format!("{:x}", mv.bits())).collect();
        let told =
            [tag("White"), tag("Black"), date.clone(), pgn.tags.get("UTCTime").unwrap_or("").to_string()];
        let identity = format!("{}\n{}\n{}", told.join("\n"), game.start().to_fen(), moves.join(" "));
        let halves = [common::crc32(identity.as_bytes()), common::crc32(format!("{identity}\n").as_bytes())];
        Facts {
            white: tag("White"),
            black: tag("Black"),
            white_elo: elo("WhiteElo"),
            black_elo: elo("BlackElo"),
            event: tag("Event"),
            date,
            result: pgn.result.as_str().to_string(),
            opening: openings.last_name(game.positions()).map(str::to_string),
            speed: speed(pgn.tags.get("TimeControl").unwrap_or("-")),
            plies: game.moves().len() as u32,
            keys: game.positions().iter().flat_map(|position| position.key().to_le_bytes()).collect(),
            fingerprint: (i64::from(halves[0]) << 32) | i64::from(halves[1]),
        }
    }
}

/// The kind of game that a `TimeControl` tag stands for: `300+3`, `600`, `1/86400`.
fn speed(control: &str) -> &'static str {
    if control.contains('/') {
        return "correspondence";
    }
    let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
    let (Ok(base), Ok(increment)) = (base.parse::<u32>(), increment.parse::<u32>()) else { return "other" };
    let seconds = base.saturating_add(increment.saturating_mul(40));
    SPEEDS.iter().find(|(most, _)| seconds <= *most).map_or("classical", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_told_apart() {
        let found = ["60+0", "180+0", "180", "600+5", "1800+30", "1/86400", "-", "?"].map(speed);
        let expected = ["bullet", "blitz", "blitz", "rapid", "classical", "correspondence", "other", "other"];
        assert_eq!(found, expected);
    }
}
