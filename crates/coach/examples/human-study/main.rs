//! Measures the models on players they never saw.
//!
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study moves ONE-POSITION-IN HELD-OUT.bin
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study habits A-BAND
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study predictions RECORDS NODES
//!     zstd -dc human/levels.tsv.zst | human-study rate PLAYERS EVIDENCE.tsv
//!     human-study weight EVIDENCE.tsv
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study coach GAMES NODES [FOLDER]
//!
//! `moves`: expected points lost a move, by rating band: people, the human-like player of that level in the same positions, and
//! simulated people (the held-out network and Regan's softmax); prediction of mistakes (area under the ROC curve, calibration).
//! `habits`: mates in one and recaptures, people and human-like player, so many of each in every band. `predictions`: where people
//! played the move of bounded speculation, the predicted loss of the reply beside the loss of the real reply. `rate`: collects
//! the evidence of moves of players outside the training set, half of them for validation, into a file; players already in it
//! are skipped. `weight`: from that file, the evidence weight that fits the validation players best, then errors and coverage on
//! the others beside a constant guess. `coach`: reviews games and checks every line with a longer search.

mod coach;
mod foresight;
mod habits;
mod moves;
mod positions;
mod predictions;
mod rate;

use human_model::reply::HeldOutModel;
use std::error::Error;

const USAGE: &str = "expected: moves ONE-POSITION-IN HELD-OUT.bin, habits A-BAND, predictions RECORDS NODES, rate PLAYERS EVIDENCE.tsv, weight EVIDENCE.tsv, or coach GAMES NODES [FOLDER]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["moves", one_in, second] => {
            moves::study(one_in.parse()?, &HeldOutModel::from_bytes(&std::fs::read(second)?)?)
        }
        ["habits", a_band] => habits::study(a_band.parse()?),
        ["predictions", records, nodes] => predictions::study(records.parse()?, nodes.parse()?),
        ["rate", players, file] => rate::collect(players.parse()?, file),
        ["weight", file] => rate::fit_weight(file),
        ["coach", games, nodes, ref folder @ ..] if folder.len() < 2 => {
            coach::study(games.parse()?, nodes.parse()?, folder.first().copied())
        }
        _ => Err(USAGE.into()),
    }
}
