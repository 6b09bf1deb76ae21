//! The arguments of `go`.

use crate::words::Words;
use std::time::Duration;

/// What `go` asked for, as it was written. Absent words are `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go<'a> {
    pub search_moves: Vec<&'a str>,
    pub ponder: bool,
    pub infinite: bool,
    pub white: GoClock,
    pub black: GoClock,
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoClock {
    pub remaining: Option<Duration>,
    pub increment: Duration,
}

impl<'a> Go<'a> {
    pub(super) fn parse(mut words: Words<'a>) -> Go<'a> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(mv) = words.peek().filter(|word| looks_like_move(word)) {
                        go.search_moves.push(mv);
                        words.next();
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.white.remaining = milliseconds(&mut words),
                "btime" => go.black.remaining = milliseconds(&mut words),
                "winc" => go.white.increment = milliseconds(&mut words).unwrap_or_default(),
                "binc" => go.black.increment = milliseconds(&mut words).unwrap_or_default(),
                "movestogo" => go.moves_to_go = words.number().filter(|&moves| moves > 0),
                "depth" => go.depth = words.number(),
                "nodes" => go.nodes = words.number(),
                "mate" => go.mate = words.number(),
                "movetime" => go.move_time = milliseconds(&mut words),
                _ => {}
            }
        }
        go
    }
}

/// A clock may be behind zero (the program gives grace): that is no time, not an error.
fn milliseconds(words: &mut Words<'_>) -> Option<Duration> {
    let number: f64 = words.number()?;
    let longest = 1e12;
    number.is_finite().then(|| Duration::from_micros((number.clamp(0.0, longest) * 1000.0) as u64))
}

fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes[1].is_ascii_digit()
        && bytes[2].is_ascii_lowercase()
        && bytes[3].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go<'_> {
        Go::parse(Words::new(text))
    }

    #[test]
    fn a_game_clock() {
        let go = go("wtime 60000 btime 50000 winc 1000 binc 500 movestogo 40");
        assert_eq!(go.white.remaining, Some(Duration::from_secs(60)));
        assert_eq!(go.black.increment, Duration::from_millis(500));
        assert_eq!(go.moves_to_go, Some(40));
    }

    #[test]
    fn search_moves_end_at_the_next_word() {
        let go = go("searchmoves e2e4 e7e8q depth 3");
        assert_eq!(go.search_moves, ["e2e4", "e7e8q"]);
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn nonsense_is_skipped_and_the_rest_read() {
        let go = go("wtime x depth -3 movetime 100 foo nodes 99999999999999999999 mate 2 movestogo 0");
        assert_eq!((go.white.remaining, go.depth, go.nodes), (None, None, None));
        assert_eq!(go.move_time, Some(Duration::from_millis(100)));
        assert_eq!((go.mate, go.moves_to_go), (Some(2), None));
    }

    #[test]
    fn negative_clocks_are_empty_clocks() {
        assert_eq!(go("wtime -20").white.remaining, Some(Duration::ZERO));
    }
}
