//! The lines an engine sends.

use chess::{Move, Position};
use engine::{Information, OptionKind, OptionSpec};
use eval::Centipawns;
use eval::outcome::Chances;
use kernel::{Bound, Kind, Score};
use std::fmt::Write as _;

/// Scores beyond every evaluation, for what the table bases prove.
const TABLE_WIN_CENTIPAWNS: i32 = 20_000;

pub fn option(spec: &OptionSpec) -> String {
    let name = spec.name;
    match spec.kind {
        OptionKind::Check { default } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Text { default } => {
            let shown = if default.is_empty() { "<empty>" } else { default };
            format!("option name {name} type string default {shown}")
        }
        OptionKind::Choice { default, values, .. } => {
            let mut line = format!("option name {name} type combo default {default}");
            for value in values {
                let _ = write!(line, " var {value}");
            }
            line
        }
        OptionKind::Button => format!("option name {name} type button"),
    }
}

/// What the program's options ask of the lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    pub chess960: bool,
    pub show_wdl: bool,
}

pub fn information(information: &Information, root: &Position, style: Style) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        information.depth,
        information.selective_depth,
        information.rank,
        score(information.score)
    );
    line.push_str(match information.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    });
    if style.show_wdl {
        let is_result = information.is_result || !root.has_legal_move();
        let Chances { win, draw, loss } = if is_result && information.score == Score::ZERO {
            Chances::DRAW
        } else {
            chances(information.score, root.fullmove_number())
        };
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        information.nodes,
        information.nodes_per_second(),
        information.permille_used,
        information.table_base_hits,
        information.time.as_millis()
    );
    if !information.line.is_empty() {
        line.push_str(" pv");
        for &mv in &information.line {
            let _ = write!(line, " {}", root.uci(mv, style.chess960));
        }
    }
    line
}

/// A proven result is certain; other scores get the shares of win, draw and loss they had in games.
fn chances(score: Score, move_number: u16) -> Chances {
    match score.kind() {
        Kind::Centipawns(value) => Chances::of(Centipawns::new(value), move_number),
        Kind::MateIn(_) | Kind::TableWin(_) => Chances::WIN,
        Kind::MatedIn(_) | Kind::TableLoss(_) => Chances::LOSS,
    }
}

/// Mates count in moves, not plies; a mated root is `mate 0`.
pub fn score(score: Score) -> String {
    match score.kind() {
        Kind::Centipawns(value) => format!("cp {value}"),
        Kind::MateIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Kind::MatedIn(0) => "mate 0".to_string(),
        Kind::MatedIn(plies) => format!("mate -{}", plies / 2),
        Kind::TableWin(plies) => format!("cp {}", TABLE_WIN_CENTIPAWNS - plies as i32),
        Kind::TableLoss(plies) => format!("cp {}", plies as i32 - TABLE_WIN_CENTIPAWNS),
    }
}

pub fn best_move(best: Option<Move>, ponder: Option<Move>, root: &Position, chess960: bool) -> String {
    let Some(best) = best else { return "bestmove (none)".to_string() };
    let mut line = format!("bestmove {}", root.uci(best, chess960));
    if let Some(reply) = ponder {
        let _ = write!(line, " ponder {}", root.after(best).uci(reply, chess960));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        for (value, text) in [
            (Score::centipawns(-35), "cp -35"),
            (Score::mate_in(1), "mate 1"),
            (Score::mate_in(3), "mate 2"),
            (Score::mated_in(0), "mate 0"),
            (Score::mated_in(2), "mate -1"),
            (Score::mated_in(4), "mate -2"),
            (Score::table_win(3), "cp 19997"),
            (Score::table_loss(3), "cp -19997"),
        ] {
            assert_eq!(score(value), text);
        }
    }

    #[test]
    fn proven_scores_are_certain() {
        assert_eq!(chances(Score::mate_in(5), 30), Chances::WIN);
        assert_eq!(chances(Score::table_loss(3), 30), Chances::LOSS);
        assert!(chances(Score::ZERO, 30).draw > 400);
    }

    #[test]
    fn no_option_is_printed_twice_and_every_default_is_in_range() {
        let lines: Vec<String> = engine::OptionTable::all().iter().map(option).collect();
        for (i, line) in lines.iter().enumerate() {
            assert!(!lines[..i].contains(line), "{line}");
        }
        for spec in engine::OptionTable::all() {
            if let OptionKind::Spin { default, min, max } = spec.kind {
                assert!((min..=max).contains(&default), "{}", spec.name);
            }
        }
    }
}
