//! The start of a game: the standard position, a position of Chess960, any position, with or without odds.

use crate::describe;
use crate::limits;
use crate::messages::{ClockSettings, GameSettings, Line, Odds, SideChoice, Start};
use crate::odds;
use crate::problem::Problem;
use chess::{Color, Game, Position};

const NEXT: &str = "Change the settings and start again.";

pub struct Setup {
    pub game: Game,
    pub you: Color,
    pub chess960: bool,
}

/// `random` decides what the settings leave open.
pub fn set_up(settings: &GameSettings, random: u64) -> Result<Setup, Problem> {
    for clock in [settings.clock, settings.engine_clock].into_iter().flatten() {
        check_clock(clock)?;
    }
    let you = match settings.side {
        SideChoice::White => Color::White,
        SideChoice::Black => Color::Black,
        SideChoice::Random => {
            if random & 1 == 0 {
                Color::White
            } else {
                Color::Black
            }
        }
    };
    let (game, chess960) = match &settings.start {
        Start::Standard => (Game::default(), false),
        Start::Chess960 { number } => {
            let number = number.unwrap_or((random >> 8) as u16 % 960);
            let position = Position::chess960(number).ok_or_else(|| {
                Problem::new(format!("There is no start position {number}, expected 0 to 959."), NEXT)
            })?;
            (Game::new(position), true)
        }
        Start::Position { fen, moves } => {
            let game = describe::game(&Line { start: fen.clone(), moves: moves.clone() })?;
            let chess960 = describe::is_chess960(game.start());
            (game, chess960)
        }
    };
    let game = match settings.odds {
        Odds::None => game,
        odds => {
            let position = odds::give(game.position(), !you, odds)
                .ok_or_else(|| Problem::new("These odds cannot be given in this position.", NEXT))?;
            Game::new(position)
        }
    };
    if let Some(outcome) = game.outcome() {
        let what = format!("This game is over before it begins ({}).", describe::outcome_text(outcome));
        return Err(Problem::new(what, NEXT));
    }
    Ok(Setup { game, you, chess960 })
}

fn check_clock(clock: ClockSettings) -> Result<(), Problem> {
    let fits = (1..=limits::CLOCK_SECONDS).contains(&clock.seconds) && clock.increment <= 180;
    if fits {
        return Ok(());
    }
    let what = format!(
        "A clock of {} seconds and {} a move, expected up to 3 hours and 180.",
        clock.seconds, clock.increment
    );
    Err(Problem::new(what, NEXT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Opponent;

    fn settings(start: Start, odds: Odds) -> GameSettings {
        GameSettings {
            side: SideChoice::White,
            opponent: Opponent { level: None, options: Vec::new() },
            clock: None,
            engine_clock: None,
            start,
            odds,
            natural: false,
            ponder: false,
        }
    }

    #[test]
    fn the_engine_gives_the_odds() {
        for (odds, pieces) in [
            (Odds::Pawn, "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
            (Odds::Knight, "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
            (Odds::Rook, "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk -"),
            (Odds::Queen, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
        ] {
            let setup = set_up(&settings(Start::Standard, odds), 0).unwrap();
            let fen = setup.game.position().to_fen();
            assert!(fen.starts_with(pieces), "{odds:?}: {fen}");
        }
    }

    #[test]
    fn any_arrangement_and_any_position() {
        let setup = set_up(&settings(Start::Chess960 { number: Some(0) }, Odds::None), 0).unwrap();
        assert!(setup.chess960 && setup.game.position().to_fen().starts_with("bbqnnrkr"));
        assert!(set_up(&settings(Start::Chess960 { number: Some(960) }, Odds::None), 0).is_err());
        let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".to_string();
        let setup =
            set_up(&settings(Start::Position { fen: Some(fen), moves: vec![] }, Odds::None), 0).unwrap();
        assert!(setup.chess960, "the king castles from f1");
        let over = Start::Position {
            fen: None,
            moves: "f2f3 e7e5 g2g4 d8h4".split(' ').map(str::to_string).collect(),
        };
        let problem = set_up(&settings(over, Odds::None), 0).err().unwrap();
        assert!(problem.what.contains("Checkmate: Black wins"), "{}", problem.what);
    }

    #[test]
    fn a_random_side_is_sometimes_either() {
        let settings = GameSettings { side: SideChoice::Random, ..settings(Start::Standard, Odds::None) };
        assert_eq!(set_up(&settings, 0).unwrap().you, Color::White);
        assert_eq!(set_up(&settings, 1).unwrap().you, Color::Black);
    }
}
