//! Where games begin: at positions that people or books know, or at the start position, and then some random moves for variety.

use chess::Position;
use chess::epd::EpdReader;
use common::Random;
use std::path::Path;
use std::sync::Arc;

/// Positions to begin from; without any, the start position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Openings(Arc<[Position]>);

impl Openings {
    /// Reads a book: an EPD a line, plain or compressed. The first wrong line is an error that names it.
    pub fn open(path: &Path) -> Result<Openings, String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let plain = chess::compressed::open(path).map_err(|error| told(&error))?;
        let positions = EpdReader::new(plain)
            .map(|line| line.map(|(_, epd)| epd.position))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| told(&error))?;
        if positions.is_empty() {
            return Err(told(&"no position in it"));
        }
        Ok(Openings(positions.into()))
    }

    fn draw(&self, random: &mut Random) -> Position {
        if self.0.is_empty() { Position::default() } else { self.0[random.below(self.0.len())].clone() }
    }

    /// One of the positions after `plies` random moves, or one more; another one where a game ends on the way.
    pub fn randomised(&self, random: &mut Random, plies: usize) -> Position {
        let plies = plies + random.below(2);
        'opening: loop {
            let mut position = self.draw(random);
            for _ in 0..plies {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    continue 'opening;
                }
                position.play(moves[random.below(moves.len())]);
            }
            if position.has_legal_move() {
                // As a file will give it back: set up, without a past.
                return Position::from_fen(&position.to_fen()).unwrap_or(position);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, text: &str) -> Result<Openings, String> {
        let path = std::env::temp_dir().join(format!("tabiya-openings-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let read = Openings::open(&path);
        let _ = std::fs::remove_file(&path);
        read
    }

    #[test]
    fn games_begin_at_the_book_and_a_seed_is_an_opening() {
        let book = written("two", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n4k3/3r4/8/8/8/8/8/4K3 b - -\n")
            .unwrap();
        let starts: Vec<String> =
            (0..20).map(|seed| book.randomised(&mut Random::new(seed), 0).to_fen()).collect();
        assert!(
            starts.iter().any(|start| start.contains('P')) && starts.iter().any(|start| start.contains('r'))
        );
        let again = |seed| book.randomised(&mut Random::new(seed), 3).to_fen();
        assert_eq!(again(5), again(5));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = written("wrong", "4k3/8/8/8/8/8/4P3/4K3 w - -\n\n4k3/8/8 w - -\n").unwrap_err();
        assert!(error.contains('3'), "{error}");
        assert!(written("empty", "# nothing\n").unwrap_err().contains("no position"));
        assert!(Openings::open(Path::new("no such book")).is_err());
    }
}
