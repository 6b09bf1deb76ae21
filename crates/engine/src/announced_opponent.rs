//! The opponent as UCI's `UCI_Opponent` announces it: `GM 2800 human Gary Kasparov`.

use common::clip;
use human_model::reply::Rating;

/// Letters of a refused word that an error message repeats.
const SHOWN_LETTERS: usize = 40;

/// An opponent as announced. Programs leave out what they do not know by writing `none`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opponent {
    pub title: Option<String>,
    pub rating: Option<u16>,
    pub is_computer: bool,
    pub name: String,
}

impl Opponent {
    /// Reads the option's value; empty means that nobody was announced.
    pub fn parse(text: &str) -> Result<Option<Opponent>, String> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let mut words = text.split_whitespace();
        let mut next = |what: &str| words.next().ok_or_else(|| format!("no {what}, expected {FORM}"));
        let (title, rating, kind) = (next("title")?, next("rating")?, next("computer or human")?);
        let known = |word: &str| !word.eq_ignore_ascii_case("none");
        let rating = if known(rating) {
            let number: i64 = rating.parse().map_err(|_| {
                format!("rating '{}', expected a number or none", clip(rating, SHOWN_LETTERS))
            })?;
            Some(Rating::new(number).map_err(|error| error.to_string())?.points())
        } else {
            None
        };
        let is_computer = match kind.to_ascii_lowercase().as_str() {
            "computer" => true,
            "human" => false,
            _ => return Err(format!("'{}', expected computer or human", clip(kind, SHOWN_LETTERS))),
        };
        Ok(Some(Opponent {
            title: known(title).then(|| title.to_string()),
            rating,
            is_computer,
            name: words.collect::<Vec<_>>().join(" "),
        }))
    }
}

const FORM: &str = "title, rating, computer or human, name, as in 'GM 2800 human Gary Kasparov'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_protocol() {
        let person = Opponent::parse("GM 2800 human Gary Kasparov").unwrap().unwrap();
        assert_eq!((person.title.as_deref(), person.rating), (Some("GM"), Some(2800)));
        assert!(!person.is_computer && person.name == "Gary Kasparov");
        let program = Opponent::parse("none none computer Shredder").unwrap().unwrap();
        assert_eq!((program.title, program.rating, program.is_computer), (None, None, true));
        assert_eq!(Opponent::parse("  "), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(Opponent::parse("GM").unwrap_err().contains("rating"));
        assert!(Opponent::parse("GM much human A").unwrap_err().contains("'much'"));
        assert_eq!(Opponent::parse("GM 9000 human A").unwrap_err(), "rating 9000: expected 100 to 4000");
        assert!(Opponent::parse("GM 2800 alien A").unwrap_err().contains("'alien'"));
    }
}
