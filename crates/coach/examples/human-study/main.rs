//! Measures the models on players they never saw.
//!
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study moves ONE-POSITION-IN HELD-OUT.bin
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study habits A-BAND
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study predictions RECORDS NODES
//!     zstd -dc human/levels.tsv.zst | human-study rate PLAYERS EVIDENCE.tsv
//!     human-study weight EVIDENCE.tsv
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study coach GAMES NODES [FOLDER]
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study reports GAMES NODES [FOLDER]
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study shown ONE-POSITION-IN
//!     human-study variety GAMES SEED
//!     zstd -dc human/lichess-clock.tsv.zst | human-study pace ONE-GAME-IN MOVES FILE.tsv
//!     zstd -dc human/levels.tsv.zst | human-study tastes ONE-POSITION-IN POSITIONS
//!
//! `moves`: expected points lost a move, by rating band: people, the human-like player of that level in the same positions, and
//! simulated people (the held-out network and Regan's softmax); prediction of mistakes (area under the ROC curve, calibration).
//! `habits`: mates in one and recaptures, people and human-like player, so many of each in every band. `predictions`: where people
//! played the move of bounded speculation, the predicted loss of the reply beside the loss of the real reply. `rate`: collects
//! the evidence of moves of players outside the training set, half of them for validation, into a file; players already in it
//! are skipped. `weight`: from that file, the evidence weight that fits the validation players best, then errors and coverage on
//! the others beside a constant guess. `coach`: reviews games and checks every line with a longer search.
//! `reports`: reviews games and looks for contradictions in what is said.
//! `shown`: the calibration of the shares that the coach and the page show, by rating band and by what the model is told.
//! `variety`: the openings of the human-like player beside the counts of real games. `pace`: thinking times of people and of
//! the human-like player. `tastes`: what the named opponents play more often, and whether it costs strength.

mod coach;
mod foresight;
mod habits;
mod moves;
mod pace;
mod positions;
mod predictions;
mod rate;
mod shown;
mod tastes;
mod variety;

use human_model::reply::HeldOutModel;
use std::error::Error;

const USAGE: &str = "expected: moves ONE-POSITION-IN HELD-OUT.bin, habits A-BAND, predictions RECORDS NODES, rate PLAYERS EVIDENCE.tsv, weight EVIDENCE.tsv, coach GAMES NODES [FOLDER], reports GAMES NODES [FOLDER], shown ONE-POSITION-IN, variety GAMES SEED, pace ONE-GAME-IN MOVES FILE.tsv, or tastes ONE-POSITION-IN POSITIONS";

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
        ["reports", games, nodes] => coach::reports(games.parse()?, nodes.parse()?, None),
        ["reports", games, nodes, folder] => coach::reports(games.parse()?, nodes.parse()?, Some(folder)),
        ["shown", one_in] => shown::study(one_in.parse()?),
        ["pace", one_in, most, file] => pace::study(one_in.parse()?, most.parse()?, file),
        ["tastes", one_in, most] => tastes::study(one_in.parse()?, most.parse()?),
        ["variety", games, seed] => variety::study(games.parse()?, seed.parse()?),
        _ => Err(USAGE.into()),
    }
}
