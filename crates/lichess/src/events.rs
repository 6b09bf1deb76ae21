//! Events of the site's streams, as types. Fields that are not used are not named, and events of unknown kinds are
//! ignored: the site adds both without notice.

use crate::identifier::Identifier;
use common::clip;
use serde::Deserialize;
use std::fmt;
use std::time::Duration;

/// Why a line is not an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventError(String);

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<serde_json::Error> for EventError {
    fn from(error: serde_json::Error) -> EventError {
        EventError(clip(&error.to_string(), 120))
    }
}

fn identifier(text: &str) -> Result<Identifier, EventError> {
    Identifier::new(text)
        .ok_or_else(|| EventError("an identifier with other characters than letters and digits".to_string()))
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(rename = "type", borrow)]
    kind: std::borrow::Cow<'a, str>,
}

fn kind(line: &str) -> Result<String, EventError> {
    Ok(serde_json::from_str::<Tag<'_>>(line)?.kind.into_owned())
}

// Events of the account.

#[derive(Clone, PartialEq, Debug)]
pub enum AccountEvent {
    Challenge(Challenge),
    /// Cancelled by its author, or declined.
    ChallengeGone(Identifier),
    GameStart(Identifier),
    GameFinish(Identifier),
    /// An event of a kind that is not used.
    Other(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Challenge {
    pub id: Identifier,
    pub challenger: Player,
    pub variant: String,
    pub rated: bool,
    pub speed: String,
    pub time: TimeControl,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Player {
    pub id: String,
    pub name: String,
    pub title: Option<String>,
    pub rating: Option<i64>,
    #[serde(rename = "aiLevel")]
    pub ai_level: Option<i64>,
}

impl Player {
    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT") || self.ai_level.is_some()
    }

    /// Title, name and rating, safe to print.
    pub fn display_name(&self) -> String {
        let name = match (self.name.is_empty(), self.ai_level) {
            (false, _) => clip(&self.name, 40),
            (true, Some(level)) => format!("Stockfish level {level}"),
            (true, None) => "Anonymous".to_string(),
        };
        let title = self.title.as_deref().map(|title| format!("{} ", clip(title, 8))).unwrap_or_default();
        match self.rating {
            Some(rating) => format!("{title}{name} ({rating})"),
            None => format!("{title}{name}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TimeControl {
    /// Seconds.
    Clock { limit: u32, increment: u32 },
    #[serde(rename_all = "camelCase")]
    Correspondence { days_per_turn: Option<u32> },
    #[default]
    Unlimited,
}

#[derive(Deserialize)]
struct RawVariant {
    key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawChallenge {
    id: String,
    challenger: Option<Player>,
    variant: RawVariant,
    #[serde(default)]
    rated: bool,
    #[serde(default)]
    speed: String,
    #[serde(default)]
    time_control: TimeControl,
}

#[derive(Deserialize)]
struct RawName {
    #[serde(alias = "gameId")]
    id: String,
}

/// A game's event names it twice, and not always both ways.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawGame {
    game_id: Option<String>,
    id: Option<String>,
}

impl RawGame {
    fn identifier(&self) -> Result<Identifier, EventError> {
        identifier(self.game_id.as_deref().or(self.id.as_deref()).unwrap_or_default())
    }
}

#[derive(Deserialize)]
struct WithChallenge<T> {
    challenge: T,
}

#[derive(Deserialize)]
struct WithGame {
    game: RawGame,
}

impl AccountEvent {
    pub fn parse(line: &str) -> Result<AccountEvent, EventError> {
        let kind = kind(line)?;
        Ok(match kind.as_str() {
            "challenge" => {
                let raw = serde_json::from_str::<WithChallenge<RawChallenge>>(line)?.challenge;
                AccountEvent::Challenge(Challenge {
                    id: identifier(&raw.id)?,
                    challenger: raw.challenger.unwrap_or_default(),
                    variant: raw.variant.key,
                    rated: raw.rated,
                    speed: raw.speed,
                    time: raw.time_control,
                })
            }
            "challengeCanceled" | "challengeDeclined" => {
                let raw = serde_json::from_str::<WithChallenge<RawName>>(line)?.challenge;
                AccountEvent::ChallengeGone(identifier(&raw.id)?)
            }
            "gameStart" => {
                AccountEvent::GameStart(serde_json::from_str::<WithGame>(line)?.game.identifier()?)
            }
            "gameFinish" => {
                AccountEvent::GameFinish(serde_json::from_str::<WithGame>(line)?.game.identifier()?)
            }
            _ => AccountEvent::Other(clip(&kind, 40)),
        })
    }
}

// Events of a game.

#[derive(Clone, PartialEq, Debug)]
pub enum GameEvent {
    /// The first line of every stream.
    Full(Box<GameFull>),
    State(GameState),
    Chat {
        username: String,
        text: String,
        /// In the players' room, not in the spectators'.
        between_players: bool,
    },
    OpponentGone {
        /// After so long, the win can be claimed; `None` when the opponent is back.
        claim_in: Option<Duration>,
    },
    Other(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct GameFull {
    pub variant: String,
    pub rated: bool,
    /// Whether there is a clock that runs down within the hour.
    pub has_clock: bool,
    pub white: Player,
    pub black: Player,
    /// `None` is the standard start position.
    pub start: Option<String>,
    pub state: GameState,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameState {
    /// In UCI notation, separated by spaces.
    pub moves: String,
    /// Milliseconds.
    pub wtime: i64,
    pub btime: i64,
    pub winc: i64,
    pub binc: i64,
    pub status: String,
    pub winner: Option<String>,
    pub wdraw: bool,
    pub bdraw: bool,
    pub wtakeback: bool,
    pub btakeback: bool,
}

impl GameState {
    pub fn is_over(&self) -> bool {
        !matches!(self.status.as_str(), "" | "created" | "started")
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawFull {
    variant: RawVariant,
    #[serde(default)]
    rated: bool,
    clock: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    white: Player,
    #[serde(default)]
    black: Player,
    initial_fen: Option<String>,
    state: GameState,
}

#[derive(Deserialize)]
struct RawChat {
    #[serde(default)]
    username: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    room: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawGone {
    gone: bool,
    claim_win_in_seconds: Option<u64>,
}

impl GameEvent {
    pub fn parse(line: &str) -> Result<GameEvent, EventError> {
        let kind = kind(line)?;
        Ok(match kind.as_str() {
            "gameFull" => {
                let raw: RawFull = serde_json::from_str(line)?;
                GameEvent::Full(Box::new(GameFull {
                    variant: raw.variant.key,
                    rated: raw.rated,
                    has_clock: raw.clock.is_some(),
                    white: raw.white,
                    black: raw.black,
                    start: raw.initial_fen.filter(|fen| fen != "startpos"),
                    state: raw.state,
                }))
            }
            "gameState" => GameEvent::State(serde_json::from_str(line)?),
            "chatLine" => {
                let raw: RawChat = serde_json::from_str(line)?;
                GameEvent::Chat {
                    username: raw.username,
                    text: raw.text,
                    between_players: raw.room == "player",
                }
            }
            "opponentGone" => {
                let raw: RawGone = serde_json::from_str(line)?;
                let claim_in = raw.claim_win_in_seconds.filter(|_| raw.gone);
                // The site never asks for more than 1 hour.
                GameEvent::OpponentGone {
                    claim_in: claim_in.map(|seconds| Duration::from_secs(seconds.min(3600))),
                }
            }
            _ => GameEvent::Other(clip(&kind, 40)),
        })
    }

    /// Whether nothing can come after it.
    pub fn is_last(&self) -> bool {
        match self {
            GameEvent::Full(full) => full.state.is_over(),
            GameEvent::State(state) => state.is_over(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_sites_own_description() {
        let line = r#"{"type":"challenge","challenge":{"id":"H9fIRZUk","url":"https://lichess.org/H9fIRZUk","status":"created",
            "challenger":{"id":"bot1","name":"Bot1","rating":1500,"title":"BOT","provisional":true,"online":true,"lag":4},
            "destUser":{"id":"bobby","name":"Bobby","rating":1635,"title":"GM"},
            "variant":{"key":"standard","name":"Standard","short":"Std"},"rated":true,"speed":"rapid",
            "timeControl":{"type":"clock","limit":600,"increment":0,"show":"10+0"},"color":"random","finalColor":"black",
            "perf":{"icon":"x","name":"Rapid"}},"compat":{"bot":true,"board":true}}"#;
        let Ok(AccountEvent::Challenge(challenge)) = AccountEvent::parse(line) else { panic!("{line}") };
        assert_eq!(challenge.time, TimeControl::Clock { limit: 600, increment: 0 });
        assert!(challenge.rated && challenge.challenger.is_bot());
        assert_eq!(challenge.challenger.display_name(), "BOT Bot1 (1500)");

        let line = r#"{"type":"gameStart","game":{"fullId":"lRlBWJmqPk0Y","gameId":"lRlBWJmq","id":"lRlBWJmq","secondsLeft":3}}"#;
        assert_eq!(
            AccountEvent::parse(line),
            Ok(AccountEvent::GameStart(Identifier::new("lRlBWJmq").unwrap()))
        );

        let line = r#"{"id":"BEOucQJo","variant":{"key":"standard","name":"Standard","short":"Std"},"speed":"rapid",
            "perf":{"name":"Rapid"},"rated":false,"createdAt":1745112707998,
            "white":{"id":"bobby","name":"Bobby","title":null,"rating":1751},"black":{"aiLevel":3},
            "initialFen":"startpos","clock":{"initial":900000,"increment":0},"type":"gameFull",
            "state":{"type":"gameState","moves":"d2d3","wtime":900000,"btime":900000,"winc":0,"binc":0,"status":"started"}}"#;
        let Ok(GameEvent::Full(full)) = GameEvent::parse(line) else { panic!("{line}") };
        assert!(
            full.has_clock && full.start.is_none() && full.state.moves == "d2d3" && !full.state.is_over()
        );
        assert_eq!(
            (full.white.display_name(), full.black.display_name()),
            ("Bobby (1751)".into(), "Stockfish level 3".into())
        );

        let line = r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":8}"#;
        let expected = GameEvent::OpponentGone { claim_in: Some(Duration::from_secs(8)) };
        assert_eq!(GameEvent::parse(line), Ok(expected));
        let line = r#"{"type":"challengeCanceled","challenge":{"id":"abcd1234"}}"#;
        assert!(matches!(AccountEvent::parse(line), Ok(AccountEvent::ChallengeGone(_))));
    }

    #[test]
    fn unknown_events_are_accepted_and_malformed_ones_are_not() {
        assert_eq!(AccountEvent::parse(r#"{"type":"news","x":[1]}"#), Ok(AccountEvent::Other("news".into())));
        for line in [
            "",
            "null",
            "[]",
            "<html>",
            r#"{"type":7}"#,
            r#"{"type":"gameStart","game":{"gameId":"../../account"}}"#,
            r#"{"type":"gameStart"}"#,
            r#"{"type":"challenge","challenge":{"id":"a/b","variant":{"key":"standard"}}}"#,
        ] {
            assert!(AccountEvent::parse(line).is_err(), "{line}");
        }
        assert!(GameEvent::parse(r#"{"type":"gameState","moves":7}"#).is_err());
    }

    #[test]
    fn names_are_safe_to_print() {
        let person = Player { name: "a\x1b[31m\nb".repeat(40), ..Player::default() };
        assert!(
            person.display_name().chars().all(|letter| !letter.is_control())
                && person.display_name().len() <= 400
        );
    }
}
