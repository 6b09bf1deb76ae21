//! Positions made the way KLAS made its 600: lines of ten from a position of a played game, each a move after the one
//! before. In half of the lines the moves are drawn at random, in the other half the engine chooses them.

use std::fmt::Write as _;

use chess::{Game, Move};

use common::Random;
use experiment::session::Session;
use match_runner::limits::{Clock, Limits};
use match_runner::openings::Openings;
use match_runner::player::{Decision, Player, Turn};

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Lines in all; the second half is the engine's.
    pub lines: usize,
    /// Positions in a line, the original one included.
    pub length: usize,
    /// How deeply the engine looks before it chooses.
    pub depth: u32,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { lines: 60, length: 10, depth: 6, seed: 1 }
    }
}

/// The positions as EPD, one a line. `R7.3` is the third move of the seventh random line, `E` stands for the engine's.
pub fn make(
    plan: Plan,
    originals: &Openings,
    player: &mut dyn Player,
    session: &mut Session<'_>,
) -> Result<String, String> {
    let mut random = Random::new(plan.seed);
    let mut text = String::new();
    for number in 0..plan.lines {
        let chosen = number >= plan.lines / 2;
        let mark = if chosen { 'E' } else { 'R' };
        let mut attempt = 0;
        // A line that runs into the end of its game is begun again from another original.
        let line = loop {
            let original = originals.of_pair((number + attempt * plan.lines) as u64).1?.game;
            let line = if chosen {
                follow(plan, original, |game| choose(plan, game, player))?
            } else {
                follow(plan, original, |game| Ok(draw(game, &mut random)))?
            };
            if line.len() == plan.length {
                break line;
            }
            attempt += 1;
            if attempt > 1000 {
                return Err(format!("no line of {} positions in a thousand tries", plan.length));
            }
        };
        for (step, position) in line.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{position} id \"{mark}{}.{step}\";", number + 1);
        }
        if (number + 1).is_multiple_of(10) {
            session.say(&format!("{} of {} lines", number + 1, plan.lines));
        }
        if session.stop.is_raised() {
            return Err("stopped".to_owned());
        }
    }
    Ok(text)
}

/// The first four fields of each position of a line; fewer than asked for when the game ends.
fn follow(
    plan: Plan,
    mut game: Game,
    mut next: impl FnMut(&Game) -> Result<Option<Move>, String>,
) -> Result<Vec<String>, String> {
    let mut positions = Vec::new();
    while game.outcome().is_none() {
        let fen = game.position().to_fen();
        positions.push(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
        if positions.len() == plan.length {
            break;
        }
        let Some(mv) = next(&game)? else { break };
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(positions)
}

fn draw(game: &Game, random: &mut Random) -> Option<Move> {
    let moves = game.position().legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

fn choose(plan: Plan, game: &Game, player: &mut dyn Player) -> Result<Option<Move>, String> {
    let clock = Clock::new(Limits { depth: Some(plan.depth), ..Limits::default() });
    let turn = Turn {
        game,
        moves: &[],
        chess960: false,
        white: &clock,
        black: &clock,
        patience: std::time::Duration::from_secs(600),
    };
    player.new_game(false).map_err(|fault| fault.to_string())?;
    let result = player.search(&turn).map_err(|fault| fault.to_string())?;
    let Decision::Move(text) = result.decision else { return Ok(None) };
    Ok(game.position().parse_uci(&text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use match_runner::internal::InternalPlayer;
    use match_runner::openings::Order;
    use match_runner::stop::StopFlag;
    use std::collections::BTreeMap;

    #[test]
    fn lines_are_connected_and_repeat_by_seed() {
        let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
        let originals = Openings::from_epd(book, Order::Sequential, 1).unwrap();
        let plan = Plan { lines: 4, length: 5, depth: 2, seed: 3 };
        let make = || {
            let mut player = InternalPlayer::start("own", &BTreeMap::new(), &StopFlag::default()).unwrap();
            let mut session =
                Session { progress: &mut std::io::sink(), stop: StopFlag::default(), verbose: false };
            make(plan, &originals, &mut player, &mut session).unwrap()
        };
        let text = make();
        assert_eq!(text, make());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 20);
        assert!(lines[0].ends_with("id \"R1.0\";") && lines[19].ends_with("id \"E4.4\";"), "{text}");
        let position = |line: &str| {
            let fields: Vec<&str> = line.split(' ').take(4).collect();
            Position::from_fen(&format!("{} 0 1", fields.join(" "))).unwrap()
        };
        for pair in lines.windows(2).filter(|pair| !pair[1].contains(".0\"")) {
            let after = position(pair[1]);
            let before = position(pair[0]);
            let reached = before.legal_moves().iter().any(|&mv| before.after(mv).board() == after.board());
            assert!(reached, "{pair:?}");
        }
    }
}
