//! What a player may type.

use chess::{Move, Position};

#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    Move(Move),
    TakeBack,
    Hint,
    Moves,
    Flip,
    Fen,
    Save,
    New,
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
  moves                 every legal move
  draw / resign         offer a draw, give up
  flip, fen, save, new, help, quit
";

pub fn read(line: &str, position: &Position) -> Input {
    let text = line.trim();
    match text.to_ascii_lowercase().as_str() {
        "" => Input::Nothing,
        "back" | "takeback" | "undo" => Input::TakeBack,
        "hint" => Input::Hint,
        "moves" => Input::Moves,
        "flip" => Input::Flip,
        "fen" => Input::Fen,
        "save" => Input::Save,
        "new" => Input::New,
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
        assert_eq!(read("", &start), Input::Nothing);
        assert!(matches!(read("e5", &start), Input::Unclear(_)));
    }
}
