//! One game as a tab-separated line: source, players, ratings, time control, month, result, termination, start, moves,
//! clocks, evaluations.

use crate::reply::{Scale, TimeControl};
use std::fmt;

/// Where a game was played, which decides what its ratings mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Source {
    LichessRapid = 0,
    LichessClock = 1,
    LichessLevels = 2,
    FicsBlitz = 3,
    FicsLevels = 4,
    FideOtb = 5,
    FideLevels = 6,
    OnlineMisc = 7,
}

impl Source {
    pub fn parse(name: &str) -> Option<Source> {
        Some(match name {
            "lichess-rapid" => Source::LichessRapid,
            "lichess-clock" => Source::LichessClock,
            "lichess-levels" => Source::LichessLevels,
            "fics-blitz" => Source::FicsBlitz,
            "fics-levels" => Source::FicsLevels,
            "fide-otb" => Source::FideOtb,
            "fide-levels" => Source::FideLevels,
            "online-misc" => Source::OnlineMisc,
            _ => return None,
        })
    }

    /// By its number in a packed file.
    pub const fn numbered(number: u8) -> Option<Source> {
        Some(match number {
            0 => Source::LichessRapid,
            1 => Source::LichessClock,
            2 => Source::LichessLevels,
            3 => Source::FicsBlitz,
            4 => Source::FicsLevels,
            5 => Source::FideOtb,
            6 => Source::FideLevels,
            7 => Source::OnlineMisc,
            _ => return None,
        })
    }

    pub const fn scale(self) -> Scale {
        match self {
            Source::LichessRapid | Source::LichessClock | Source::LichessLevels => Scale::Lichess,
            Source::FicsBlitz | Source::FicsLevels => Scale::Fics,
            Source::FideOtb | Source::FideLevels => Scale::Fide,
            Source::OnlineMisc => Scale::Mixed,
        }
    }
}

/// A player's name, hashed to ten hexadecimal digits before the games came to us.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayerId(u64);

impl PlayerId {
    pub fn parse(text: &str) -> Option<PlayerId> {
        (text.len() == 10).then(|| u64::from_str_radix(text, 16).ok().map(PlayerId)).flatten()
    }

    /// 0 to 99. Players are dealt to training and testing by this number, so nobody is ever on both sides.
    pub const fn bucket(self) -> u8 {
        (self.0 % 100) as u8
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord<'a> {
    pub source: Source,
    /// White, then Black.
    pub players: [PlayerId; 2],
    /// Zero where unknown.
    pub ratings: [u16; 2],
    pub time_control: Option<TimeControl>,
    pub result: &'a str,
    /// UCI, separated by spaces.
    pub moves: &'a str,
    /// Centiseconds after each ply, separated by commas.
    pub clocks: Option<&'a str>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    Fields {
        found: usize,
    },
    Source {
        found: String,
    },
    Player {
        found: String,
    },
    /// Not the usual starting position: odds games and Chess960 are not for this model.
    Start {
        found: String,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Fields { found } => write!(f, "{found} tab-separated fields, expected 13"),
            RecordError::Source { found } => write!(f, "source '{found}' is not one this model learns from"),
            RecordError::Player { found } => write!(f, "player '{found}', expected ten hexadecimal digits"),
            RecordError::Start { found } => write!(f, "start '{found}', expected '-', the usual array"),
        }
    }
}

impl std::error::Error for RecordError {}

impl<'a> GameRecord<'a> {
    pub fn parse(line: &'a str) -> Result<GameRecord<'a>, RecordError> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [source, white, black, white_elo, black_elo, control, _, result, _, start, moves, clocks, _] =
            fields[..]
        else {
            return Err(RecordError::Fields { found: fields.len() });
        };
        if start != "-" {
            return Err(RecordError::Start { found: start.into() });
        }
        let player =
            |text: &str| PlayerId::parse(text).ok_or_else(|| RecordError::Player { found: text.into() });
        let rating = |text: &str| text.parse().unwrap_or(0);
        Ok(GameRecord {
            source: Source::parse(source).ok_or_else(|| RecordError::Source { found: source.into() })?,
            players: [player(white)?, player(black)?],
            ratings: [rating(white_elo), rating(black_elo)],
            time_control: time_control(control),
            result,
            moves,
            clocks: (clocks != "-").then_some(clocks),
        })
    }
}

/// `600+5`, or `600` alone; anything else is unknown.
fn time_control(text: &str) -> Option<TimeControl> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(TimeControl {
        base_seconds: base.parse().ok()?,
        increment_seconds: increment.parse().unwrap_or(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "lichess-clock\t0000000a41\tffffffffff\t1956\t?\t180+2\t2021.01\t1-0\tNormal\t-\te2e4 e7e5\t6000,5900\t-";

    #[test]
    fn a_line_is_read_whole() {
        let record = GameRecord::parse(LINE).unwrap();
        assert_eq!(record.source.scale(), Scale::Lichess);
        assert_eq!(record.ratings, [1956, 0]);
        assert_eq!(record.time_control, Some(TimeControl { base_seconds: 180.0, increment_seconds: 2.0 }));
        assert_eq!(record.players[0].bucket(), (0xa41 % 100) as u8);
        assert_eq!((record.moves, record.clocks), ("e2e4 e7e5", Some("6000,5900")));
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused_by_name() {
        for (from, to, expected) in [
            ("lichess-clock", "tcec", "source 'tcec' is not one this model learns from"),
            ("ffffffffff", "?", "player '?', expected ten hexadecimal digits"),
            (
                "Normal\t-",
                "Normal\t8/8/8/8/8/8/8/8 w",
                "start '8/8/8/8/8/8/8/8 w', expected '-', the usual array",
            ),
            ("\t1-0", "", "12 tab-separated fields, expected 13"),
        ] {
            assert_eq!(GameRecord::parse(&LINE.replace(from, to)).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn time_controls_come_in_three_shapes() {
        let seconds =
            |text| time_control(text).map(|control| (control.base_seconds, control.increment_seconds));
        assert_eq!(seconds("600+5"), Some((600.0, 5.0)));
        assert_eq!(seconds("600"), Some((600.0, 0.0)));
        assert_eq!(seconds("-"), None);
    }
}
