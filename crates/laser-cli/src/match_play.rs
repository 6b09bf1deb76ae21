//! `tabiya laser match`: a referee for two players, with clocks, varied openings, records and Elo.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use common::{escape_control, quote_tag};
use laser::{Colour, DrawReason, DrawRules, Game, Status};
use laser_search::opening;
use protocol::leiserchess::Go;

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::player::{self, Player, PlayerError};

/// How long the players may think.
#[derive(Clone, Copy)]
enum Control {
    /// A player out of time loses; with a `grace` it gets that much time instead, and this is counted.
    Clock {
        time: Duration,
        increment: Duration,
        grace: Option<Duration>,
    },
    Depth(i32),
    Nodes(u64),
}

/// How a game ended.
struct GameEnd {
    /// `None` for a draw.
    winner: Option<Colour>,
    reason: String,
}

struct MatchScore {
    wins: u32,
    draws: u32,
    losses: u32,
    /// Nodes, sum of depths and moves of each player.
    effort: [(u64, i64, u64, Duration); 2],
    /// Time losses that the grace period waived.
    waived: [u32; 2],
}

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let flags = ["games", "tc", "depth", "nodes", "plies", "seed", "record", "grace"];
    let arguments = Arguments::read("match", arguments, &flags, &["autotester"])?;
    let [first, second] = arguments.words[..] else {
        return Err(Failure::Usage("match: expected two players".to_owned()));
    };
    let games: u32 = arguments.number("games")?.unwrap_or(2);
    let plies: usize = arguments.number("plies")?.unwrap_or(6);
    let seed: u64 = arguments.number("seed")?.unwrap_or(1);
    let control = control(&arguments)?;
    let rules = if arguments.has("autotester") { DrawRules::AUTOTESTER } else { DrawRules::RULE_BOOK };
    let mut record = arguments
        .text("record")
        .map(|path| File::create(path).map_err(|error| Failure::Failed(format!("{path}: {error}"))))
        .transpose()?;
    let clock = environment.clock.clone();
    let mut players = [
        player::open(first, &clock).map_err(Failure::Failed)?,
        player::open(second, &clock).map_err(Failure::Failed)?,
    ];
    let mut score = MatchScore { wins: 0, draws: 0, losses: 0, effort: Default::default(), waived: [0; 2] };
    for number in 0..games {
        // Each opening is played twice, with colours exchanged.
        let opening = opening(seed.wrapping_add(u64::from(number / 2)), plies, rules);
        let white = (number % 2) as usize;
        let mut moves = Vec::new();
        let end = play(&opening, control, &mut players, white, &clock, &mut score, &mut moves);
        let result = match end.winner {
            None => "1/2-1/2",
            Some(Colour::White) => "1-0",
            Some(Colour::Black) => "0-1",
        };
        match end.winner.map(|winner| (winner == Colour::White) == (white == 0)) {
            None => score.draws += 1,
            Some(true) => score.wins += 1,
            Some(false) => score.losses += 1,
        }
        if let Some(file) = &mut record {
            let names = [first, second];
            writeln!(
                file,
                "[White {}]\n[Black {}]\n[Result {}]\n[Reason {}]\n\n{}\n{result}\n",
                quote_tag(names[white]),
                quote_tag(names[1 - white]),
                quote_tag(result),
                quote_tag(&end.reason),
                moves.join("\n")
            )?;
        }
        let reason = escape_control(&end.reason);
        writeln!(environment.output, "game {} {result} {reason} | {}", number + 1, score.summary())?;
        environment.output.flush()?;
    }
    let efforts = score.effort.iter().zip(score.waived);
    for (name, (&(nodes, depths, moves, time), waived)) in [first, second].iter().zip(efforts) {
        let moves = moves.max(1);
        writeln!(
            environment.output,
            "{name}: {:.2} mean depth, {} nodes a move, {:.0} nodes/s, {:.3} s a move, {waived} time losses waived",
            depths as f64 / moves as f64,
            nodes / moves,
            nodes as f64 / time.as_secs_f64().max(1e-9),
            time.as_secs_f64() / moves as f64
        )?;
    }
    Ok(())
}

fn control(arguments: &Arguments<'_>) -> Result<Control, Failure> {
    if let Some(depth) = arguments.number("depth")? {
        return Ok(Control::Depth(depth));
    }
    if let Some(nodes) = arguments.number("nodes")? {
        return Ok(Control::Nodes(nodes));
    }
    let text = arguments.text("tc").unwrap_or("20+0.5");
    let parts = text.split_once('+').unwrap_or((text, "0"));
    match (parts.0.parse::<f64>(), parts.1.parse::<f64>()) {
        (Ok(time), Ok(increment)) if time >= 0.0 && increment >= 0.0 && time + increment < 1e6 => {
            Ok(Control::Clock {
                time: Duration::from_secs_f64(time),
                increment: Duration::from_secs_f64(increment),
                grace: arguments.number("grace")?.map(Duration::from_millis),
            })
        }
        _ => Err(Failure::Usage(format!("match: --tc {text}: expected SECONDS+INCREMENT"))),
    }
}

/// One game. An illegal move, a crash and a time loss lose the game; nothing is recorded twice.
fn play(
    opening: &Game,
    control: Control,
    players: &mut [Box<dyn Player>; 2],
    white: usize,
    clock: &std::sync::Arc<dyn kernel::Clock>,
    score: &mut MatchScore,
    record: &mut Vec<String>,
) -> GameEnd {
    let mut game = opening.clone();
    for player in players.iter_mut() {
        player.new_game();
    }
    for (ply, mv) in game.moves().iter().enumerate() {
        record.push(format!("{}{mv} {{book}}", numeral(ply)));
    }
    let mut left = match control {
        Control::Clock { time, .. } => [time; 2],
        _ => [Duration::MAX; 2],
    };
    loop {
        match game.status() {
            Status::Ongoing => {}
            Status::Won(winner) => {
                return GameEnd { winner: Some(winner), reason: "king hit".to_owned() };
            }
            Status::Drawn(reason) => {
                let reason = match reason {
                    DrawReason::Quiet => "no piece removed for too long",
                    DrawReason::Repetition => "repetition",
                    DrawReason::MoveCap => "move limit",
                };
                return GameEnd { winner: None, reason: reason.to_owned() };
            }
        }
        let side = game.position().side_to_move();
        let index = if side == Colour::White { white } else { 1 - white };
        let go = match control {
            Control::Depth(depth) => Go { depth: Some(depth), ..Go::default() },
            Control::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
            Control::Clock { increment, .. } => {
                Go { time: Some(left[side.index()]), increment, ..Go::default() }
            }
        };
        let lost = |reason: String| GameEnd { winner: Some(!side), reason };
        let began = clock.now();
        let answer = match players[index].choose(&game, &go) {
            Ok(answer) => answer,
            Err(PlayerError::Ended(reason)) => return lost(reason),
            Err(PlayerError::TimedOut) => return lost("no answer".to_owned()),
        };
        let spent = clock.now().saturating_sub(began);
        if let Control::Clock { increment, grace, .. } = control {
            match (left[side.index()].checked_sub(spent), grace) {
                (Some(rest), _) => left[side.index()] = rest + increment,
                (None, Some(grace)) => {
                    score.waived[index] += 1;
                    left[side.index()] = grace + increment;
                }
                (None, None) => return lost(format!("{side} out of time")),
            }
        }
        let (nodes, depths, moves, time) = &mut score.effort[index];
        *nodes += answer.nodes;
        *depths += i64::from(answer.depth);
        *moves += 1;
        *time += spent;
        let ply = game.moves().len();
        if let Err(error) = game.play_text(&answer.text) {
            return lost(format!("{side} illegal: {error}"));
        }
        record.push(format!(
            "{}{} {{{} {} {}}}",
            numeral(ply),
            answer.text,
            spent.as_nanos(),
            answer.depth,
            answer.nodes
        ));
    }
}

fn numeral(ply: usize) -> String {
    if ply.is_multiple_of(2) { format!("{}. ", ply / 2 + 1) } else { String::new() }
}

impl MatchScore {
    /// The score so far as the first player sees it, with Elo and its 95 % interval by Wilson's formula, which has ends where
    /// every game was won or lost as well. A draw counts as half a win, so with draws the interval is a little too wide.
    fn summary(&self) -> String {
        let games = f64::from(self.wins + self.draws + self.losses).max(1.0);
        let share = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games;
        let (z, squared) = (1.96, 1.96 * 1.96);
        let centre = share + squared / (2.0 * games);
        let half = z * (share * (1.0 - share) / games + squared / (4.0 * games * games)).sqrt();
        let scale = 1.0 + squared / games;
        let elo = |share: f64| match share {
            share if share < 1e-9 => "-∞".to_owned(),
            share if share > 1.0 - 1e-9 => "+∞".to_owned(),
            // Adding 0 turns a negative 0 into a positive one.
            share => format!("{:+.0}", (-400.0 * (1.0 / share - 1.0).log10()).round() + 0.0),
        };
        format!(
            "+{} ={} -{} {:.1} % Elo {} [{}, {}]",
            self.wins,
            self.draws,
            self.losses,
            100.0 * share,
            elo(share),
            elo((centre - half) / scale),
            elo((centre + half) / scale)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One game won had printed `Elo +1200 [+1200, +1200]`.
    #[test]
    fn an_interval_has_honest_ends() {
        let told = |wins, draws, losses| {
            MatchScore { wins, draws, losses, effort: Default::default(), waived: [0; 2] }.summary()
        };
        // Wilson: 1 of 1 is 0.207 or more, 22 of 22 0.851 or more; 5 of 10 lies between 0.237 and 0.763.
        assert_eq!(told(1, 0, 0), "+1 =0 -0 100.0 % Elo +∞ [-234, +∞]");
        assert_eq!(told(22, 0, 0), "+22 =0 -0 100.0 % Elo +∞ [+303, +∞]");
        assert_eq!(told(0, 0, 22), "+0 =0 -22 0.0 % Elo -∞ [-∞, -303]");
        assert_eq!(told(5, 0, 5), "+5 =0 -5 50.0 % Elo +0 [-204, +204]");
    }
}
