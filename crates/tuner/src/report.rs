//! What a fit did, in figures, for the record.

use std::fmt::Write as _;

/// One file of games.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceFigures {
    pub name: String,
    pub games: usize,
    pub unreadable: usize,
    pub training: usize,
    pub held_out: usize,
    pub steepness: [f32; 2],
    /// On held-out games, before and after.
    pub error: [f64; 2],
}

#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    pub sources: Vec<SourceFigures>,
    pub weights: usize,
    pub training_error: [f64; 2],
    pub held_out_error: [f64; 2],
    /// After rounding to whole centipawns.
    pub rounded_error: f64,
    pub epochs: usize,
    pub command: String,
}

impl Figures {
    /// What the weights file says about itself.
    pub fn origin(&self) -> Vec<String> {
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        let training: usize = self.sources.iter().map(|source| source.training).sum();
        let games: usize = self.sources.iter().map(|source| source.games).sum();
        vec![
            format!("{training} quiet positions of {games} games ({}), results only.", names.join(", ")),
            format!("Mean squared error on held-out games: {:.6}.", self.rounded_error),
        ]
    }

    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| games from | games | training positions | held-out positions | steepness per centipawn | held-out error before | after |\n|---|---|---|---|---|---|---|\n",
        );
        for source in &self.sources {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {:.5} -> {:.5} | {:.6} | {:.6} |",
                source.name,
                source.games,
                source.training,
                source.held_out,
                source.steepness[0],
                source.steepness[1],
                source.error[0],
                source.error[1],
            );
        }
        let _ = write!(
            text,
            "\n{} weights, each a middlegame and an endgame half; {} epochs.\n\n\
             | mean squared error | before | after | after rounding |\n|---|---|---|---|\n\
             | training | {:.6} | {:.6} | |\n| held-out games | {:.6} | {:.6} | {:.6} |\n\n\
             Command: `{}`\n",
            self.weights,
            self.epochs,
            self.training_error[0],
            self.training_error[1],
            self.held_out_error[0],
            self.held_out_error[1],
            self.rounded_error,
            self.command,
        );
        text
    }
}
