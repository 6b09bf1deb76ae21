//! What a player may type.

use chess::{Move, Position};

#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    Move(Move),
    TakeBack,
    Hint,
    Moves,
    /// The engine's best lines.
    Lines,
    Threat,
    /// What people of the player's rating play here.
    People,
    Review,
    Flip,
    Fen,
    Pgn,
    Save,
    New,
    /// The same settings, the other side.
    Rematch,
    /// Change places in the middle of the game.
    Switch,
    Resign,
    Draw,
    Help,
    Quit,
    Nothing,
    /// Neither a word nor a legal move: why.
    Unclear(String),
}

pub const HELP: &str = "\
  e4, Nf3, O-O, e7e8q   a move, in either notation
  back                  take back your last move
  hint                  what the engine would play for you
  lines / threat        the three best lines; what the other side would do if it could
  people                what people of your rating play here
  review                the coach looks over the game so far
  moves                 every legal move
  draw / resign         offer a draw, give up
  switch / rematch      change places; the same again with the other side
  fen / pgn             the position, the game
  flip, save, new, help, quit
";

pub fn read(line: &str, position: &Position) -> Input {
    let text = line.trim();
    match text.to_ascii_lowercase().as_str() {
        "" => Input::Nothing,
        "back" | "takeback" | "undo" => Input::TakeBack,
        "hint" => Input::Hint,
        "moves" => Input::Moves,
        "lines" | "eval" | "analyse" => Input::Lines,
        "threat" => Input::Threat,
        "people" => Input::People,
        "review" | "coach" => Input::Review,
        "flip" => Input::Flip,
        "fen" => Input::Fen,
        "pgn" => Input::Pgn,
        "save" => Input::Save,
        "new" => Input::New,
        "rematch" => Input::Rematch,
        "switch" => Input::Switch,
        "resign" => Input::Resign,
        "draw" => Input::Draw,
        "help" | "?" => Input::Help,
        "quit" | "exit" | "q" => Input::Quit,
        _ => match position.parse_uci(text).or_else(|_| position.parse_san(text)) {
            Ok(mv) => Input::Move(mv),
            Err(error) => Input::Unclear(format!("{error}; 'help' lists what can be typed")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_both_notations_and_words() {
        let start = Position::default();
        let e4 = start.parse_uci("e2e4").unwrap();
        assert_eq!(read("e4\n", &start), Input::Move(e4));
        assert_eq!(read(" e2e4 ", &start), Input::Move(e4));
        assert_eq!(read("Undo", &start), Input::TakeBack);
        assert_eq!((read("eval", &start), read("Switch", &start)), (Input::Lines, Input::Switch));
        assert_eq!(read("", &start), Input::Nothing);
        assert!(matches!(read("e5", &start), Input::Unclear(_)));
    }
}
