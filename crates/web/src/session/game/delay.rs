//! The delay of an engine's move, as long as a person would need for it.

use chess::{Move, Position};
use std::time::Duration;

/// Short for the only move, a recapture or the first moves, longer where there are many moves; at most 1/25 of the
/// remaining time.
pub fn natural_delay(
    before: Option<(&Position, Move)>,
    position: &Position,
    mv: Move,
    left: Option<Duration>,
) -> Duration {
    let choices = position.count_legal();
    let recapture = before.is_some_and(|(earlier, last)| {
        earlier.captured(last).is_some() && mv.to() == last.to() && position.captured(mv).is_some()
    });
    let base = if choices == 1 {
        0.35
    } else if recapture {
        0.6
    } else if position.fullmove_number() <= 6 {
        0.8
    } else {
        0.8 + 0.05 * choices.min(40) as f64 + if position.in_check() { 0.3 } else { 0.0 }
    };
    // A factor from 0.6 to 1.6 that depends on the position only, so that a game can be repeated.
    let factor = 0.6 + (position.key() % 1000) as f64 / 1000.0;
    let wanted = Duration::from_secs_f64(base * factor);
    match left {
        Some(left) => wanted.min(left / 25),
        None => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forced_moves_are_quick_and_clocks_are_respected() {
        let open = Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9")
            .unwrap();
        let quiet = open.parse_san("h3").unwrap();
        let long = natural_delay(None, &open, quiet, None);
        assert!(long > Duration::from_millis(900), "{long:?}");
        assert!(
            natural_delay(None, &open, quiet, Some(Duration::from_secs(5))) <= Duration::from_millis(200)
        );
        let forced = Position::from_fen("7k/8/8/8/8/8/1r6/K7 w - - 0 50").unwrap();
        let mv = forced.legal_moves()[0];
        assert!(natural_delay(None, &forced, mv, None) < Duration::from_millis(600));
    }
}
